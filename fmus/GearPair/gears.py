#!/usr/bin/env python3
"""Writes the two gears of this model: involute flanks, module 2 mm, pressure angle 20 degrees, profile shift +-0.3.

    python3 gears.py

The shift keeps the centre distance of 36 mm and spares the pinion of 12 teeth the undercut.
"""

import math
import struct

MODULE = 2.0  # mm
PRESSURE = math.radians(20)
SHIFT = 0.3
BACKLASH = 0.05  # mm, along the pitch circle, for each gear
WIDTH = 10.0  # mm
FACETS = 32  # of a flank


def involute(angle):
    return math.tan(angle) - angle


def outline(teeth, shift):
    """Points of the profile in mm, counter-clockwise; the first tooth lies around the x axis."""
    pitch = 0.5 * MODULE * teeth
    base = pitch * math.cos(PRESSURE)
    tip = pitch + MODULE * (1 + shift)
    root = pitch - MODULE * (1.25 - shift)
    # Half of the angle of a tooth at the base circle.
    thickness = MODULE * (math.pi / 2 + 2 * shift * math.tan(PRESSURE)) - BACKLASH
    half = thickness / (2 * pitch) + involute(PRESSURE)
    # The roll angle tells how the flank bends: equal steps of it give equal angles between facets.
    roll = [math.sqrt(max(radius / base, 1) ** 2 - 1) for radius in (root, tip)]
    flank = []
    for k in range(FACETS + 1):
        at = roll[0] + (roll[1] - roll[0]) * k / FACETS
        flank.append((base * math.hypot(1, at), half - (at - math.atan(at))))
    if root < base:
        flank.insert(0, (root, half))
    points = []
    for tooth in range(teeth):
        middle = 2 * math.pi * tooth / teeth
        side = [(radius, middle - angle) for radius, angle in flank]
        side += [(radius, middle + angle) for radius, angle in reversed(flank)]
        points += [(radius * math.cos(angle), radius * math.sin(angle)) for radius, angle in side]
    return points, len(flank)


def triangles(points, flank):
    """The prism over a profile: its two ends tooth by tooth, its hub, and its sides."""
    count, tooth = len(points), 2 * flank
    flat = []
    for first in range(0, count, tooth):
        for k in range(flank - 1):
            a, b = first + k, first + tooth - 1 - k
            flat += [(a, a + 1, b - 1), (a, b - 1, b)] if a + 1 != b - 1 else [(a, a + 1, b)]
    feet = [k for first in range(0, count, tooth) for k in (first, first + tooth - 1)]
    flat += [("hub", feet[k], feet[(k + 1) % len(feet)]) for k in range(len(feet))]
    low, high = -WIDTH / 2, WIDTH / 2

    def place(k, height):
        return (0, 0, height) if k == "hub" else (*points[k], height)

    for a, b, c in flat:
        yield place(a, high), place(b, high), place(c, high)
        yield place(a, low), place(c, low), place(b, low)
    for a in range(count):
        b = (a + 1) % count
        yield place(a, low), place(b, low), place(b, high)
        yield place(a, low), place(b, high), place(a, high)


def write(name, teeth, shift):
    body = list(triangles(*outline(teeth, shift)))
    with open(name, "wb") as file:
        file.write(f"{teeth} teeth, mm".ljust(80).encode() + struct.pack("<I", len(body)))
        for corners in body:
            file.write(struct.pack("<12fH", 0, 0, 0, *(x for corner in corners for x in corner), 0))
    print(f"{name}: {len(body)} triangles")


write("pinion.stl", 12, SHIFT)
write("wheel.stl", 24, -SHIFT)
