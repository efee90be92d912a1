"""Draws the pictures of the reference.

    python docs/pictures/draw.py            writes docs/pictures/*.svg
    python docs/pictures/draw.py --check    says whether they are what this program draws
"""

import argparse
import math
import pathlib
import sys

from drawing import BLUE, GREY, INK, PAPER, RED, Picture, Plot, Scheme, View, after, moved, same, turned

HERE = pathlib.Path(__file__).resolve().parent
PICTURES = {}


def picture(name):
    def register(draw):
        PICTURES[name] = draw
        return draw
    return register


# Joints: `from` is grey, `to` is blue, coordinates are red.

@picture("joints/fixed")
def _():
    v = View()
    v.box((0.9, 0.9, 0.5), moved(0, 0, -0.45), GREY)
    v.box((0.5, 0.5, 0.7), moved(0, 0, 0.15))
    v.frame(moved(0, 0, 0.5), 0.6)
    v.label((0, 0, -0.6), "from", offset=(-75, 0))
    v.label((0, 0, 0.2), "to", offset=(-44, 26))
    return v


@picture("joints/revolute")
def _():
    v = View()
    v.cylinder("z", 0.9, 0.3, moved(0, 0, -0.5), GREY)
    v.axis_line((0, 0, -0.9), (0, 0, 1.4))
    v.line([(0, 0, -0.35), (1.7, 0, -0.35)], dash="5 4")
    v.box((1.6, 0.3, 0.2), after(moved(0.8, 0, 0), turned(math.radians(55)), moved(0, 0, -0.25)))
    v.cylinder("z", 0.45, 0.5, moved(0, 0, -0.1))
    v.turn("z", -0.35, 1.35, 0, 50, "phi, w", offset=(-78, 4))
    v.vector((0, 0, 0.2), (0, 0, 1.1), "axis")
    v.label((0, 0, -0.5), "from", offset=(-45, 10))
    return v


@picture("joints/prismatic")
def _():
    v = View()
    v.box((0.5, 2.6, 0.25), moved(0, 0, -0.3), GREY)
    v.axis_line((0, -1.7, -0.05), (0, 1.9, -0.05))
    v.box((0.7, 0.6, 0.4), moved(0, 0.3, 0))
    v.vector((0, 1.3, -0.05), (0, 1.9, -0.05), "axis", offset=(6, 4))
    v.line([(0.6, -1.2, -0.3), (0.6, -1.2, 0.4)], width=1)
    v.vector((0.6, -1.2, 0.3), (0.6, 0.3, 0.3), None, RED)
    v.label((0.6, -0.5, 0.3), "s, v", RED, (10, -22))
    v.label((0, -1.3, -0.3), "from", offset=(-34, 24))
    return v


@picture("joints/screw")
def _():
    v = View()
    v.cylinder("z", 0.3, 2.0, moved(0, 0, 0.1), GREY)
    for k in range(9):
        v.line([(0.15 * math.cos(math.radians(a)), 0.15 * math.sin(math.radians(a)), -0.8 + 0.2 * k + a / 1800) for a in range(-45, 140, 5)], width=1)
    v.cylinder("z", 1.0, 0.35, moved(0, 0, 0.2))
    v.axis_line((0, 0, -1.2), (0, 0, 1.5))
    v.turn("z", 0.45, 0.8, -30, 110, "phi", offset=(6, 12))
    v.vector((0, -1.0, 0.1), (0, -1.0, 0.7), "pitch · phi / 2π", RED, (-110, -6))
    return v


@picture("joints/universal")
def _():
    v = View()
    v.cylinder("y", 0.3, 1.4, moved(0, -1.0, 0), GREY)
    tilt = turned(math.radians(20), "x")
    v.cylinder("y", 0.3, 1.4, after(moved(0, 1.0, 0), tilt))
    v.cylinder("x", 0.16, 1.0, same, PAPER)
    v.cylinder("z", 0.16, 1.0, same, PAPER)
    v.sphere(0.3, same, PAPER)
    v.axis_line((1.3, 0, 0), (-1.3, 0, 0))
    v.axis_line((0, 0, -1.1), (0, 0, 1.2))
    v.turn("x", 0.85, 0.3, 20, 290, "phi[1]", offset=(-54, 22))
    v.turn("z", 0.85, 0.3, -60, 200, "phi[2]", offset=(22, -8))
    v.label((0, -1.6, 0), "from", offset=(-6, -18))
    v.label((0, 1.5, 0.5), "to", offset=(14, -14))
    return v


@picture("joints/cylindrical")
def _():
    v = View()
    v.cylinder("y", 0.8, 1.4, moved(0, -0.6, 0), GREY)
    v.cylinder("y", 0.4, 1.8, moved(0, 1.0, 0))
    v.axis_line((0, -1.7, 0), (0, 2.3, 0))
    v.turn("y", 1.6, 0.4, -120, 130, "phi, w", offset=(22, -26))
    v.vector((0.6, 0.1, 0), (0.6, 1.5, 0), None, RED)
    v.label((0.6, 0.8, 0), "s, v", RED, (-12, 20))
    return v


@picture("joints/planar")
def _():
    v = View(origin=(175, 120))
    v.box((2.4, 2.4, 0.1), moved(0, 0, -0.3), GREY)
    v.box((0.7, 0.7, 0.3), after(turned(math.radians(35)), moved(0.15, 0.4, -0.1)))
    v.vector((-0.9, -0.9, -0.25), (0.3, -0.9, -0.25), "s[1]", RED, (-34, 0))
    v.vector((-0.9, -0.9, -0.25), (-0.9, 0.3, -0.25), "s[2]", RED, (4, -6))
    v.vector((0.15, 0.4, 0.05), (0.15, 0.4, 0.9), "normal")
    v.turn("z", 0.1, 0.75, -20, 70, "phi", (0.15, 0.4, 0), offset=(4, 14))
    return v


@picture("joints/spherical")
def _():
    v = View()
    v.box((1.0, 1.0, 0.25), moved(0, 0, -0.75), GREY)
    v.cylinder("z", 0.7, 0.35, moved(0, 0, -0.45), GREY)
    v.sphere(0.7, moved(0, 0, -0.1))
    v.cylinder("z", 0.22, 1.2, after(moved(0, 0, 0.85), turned(math.radians(-25), "x"), moved(0, 0, -0.1)))
    v.turn("z", 0.75, 0.75, -40, 60, "w[3]", offset=(-74, -14))
    v.turn("x", 0.3, 0.85, 20, 80, "w[1]", offset=(30, 14))
    v.turn("y", 0.1, 0.85, 10, 80, "w[2]", offset=(-52, 18))
    return v


@picture("joints/free")
def _():
    v = View(origin=(120, 170))
    v.frame(same, 0.7, "from")
    place = after(turned(0.5), turned(0.3, "x"), moved(0.2, 2.0, 1.3))
    v.box((0.7, 0.5, 0.4), place)
    v.vector((0, 0, 0), (0.2, 2.0, 1.3), None, RED)
    v.label((0.1, 1.0, 0.65), "r", RED, (-4, -10))
    v.turn("z", 0.45, 0.45, -60, 150, "w", (0.2, 2.0, 1.3), offset=(12, -10))
    v.vector((0.2, 2.3, 1.3), (0.2, 3.0, 1.3), "v", RED)
    return v


# Shapes, with their frame.

def shape(name, draw, labels=(), scale=60, frame=1.2):
    def picture_of():
        v = View(scale=scale)
        for end in ((frame, 0, 0), (0, frame, 0), (0, 0, frame)):
            v.line([(0, 0, 0), end], "#78909c", 1, "4 3")
        draw(v)
        for axis, end in zip("xyz", ((frame, 0, 0), (0, frame, 0), (0, 0, frame))):
            start = tuple(0.75 * c for c in end)
            v.vector(start, end, axis, offset=(-14, 2) if axis == "x" else (5, 2))
        for start, end, text, offset in labels:
            v.vector(start, end, None, RED, both=True)
            v.label(tuple((a + b) / 2 for a, b in zip(start, end)), text, RED, offset)
        return v
    PICTURES[f"shapes/{name}"] = picture_of


shape("sphere", lambda v: v.sphere(1.3), [((0, -0.65, -0.85), (0, 0.65, -0.85), "diameter", (-16, 18))], frame=1.4)
shape("ellipsoid", lambda v: v.sphere(1, lengths=(0.9, 1.9, 0.8)), [((0.7, -0.95, 0), (0.7, 0.95, 0), "lengths[2]", (-22, 20)), ((0, -1.15, -0.4), (0, -1.15, 0.4), "lengths[3]", (-42, 0))], frame=1.5)
shape("box", lambda v: v.box((0.9, 1.5, 0.7)), [((0.65, -0.75, -0.35), (0.65, 0.75, -0.35), "lengths[2]", (-34, 14)), ((-0.45, 0.95, -0.35), (0.45, 0.95, -0.35), "lengths[1]", (42, 10)), ((0.45, -0.95, -0.35), (0.45, -0.95, 0.35), "lengths[3]", (-40, 0))], frame=1.4)
shape("cylinder", lambda v: v.cylinder("z", 1.2, 1.0, inner=0.6), [((0, -0.95, -0.5), (0, -0.95, 0.5), "length", (-32, 0)), ((0.85, -0.6, -0.5), (0.85, 0.6, -0.5), "diameter", (-34, 14)), ((0, -0.3, 0.5), (0, 0.3, 0.5), "inner_diameter", (100, -30))], frame=1.4)
shape("cone", lambda v: v.cylinder("z", 1.3, 1.1, moved(0, 0, 0.55), top=0.5), [((0, -1.0, 0), (0, -1.0, 1.1), "length", (-32, 0)), ((0.9, -0.65, 0), (0.9, 0.65, 0), "diameter", (-34, 14)), ((0, -0.25, 1.1), (0, 0.25, 1.1), "top_diameter", (90, -14))], frame=1.5)
shape("capsule", lambda v: v.capsule("z", 0.7, 0.9), [((0, -0.8, -0.45), (0, -0.8, 0.45), "length", (-32, 0)), ((0.6, -0.35, -0.6), (0.6, 0.35, -0.6), "diameter", (-40, 14))], frame=1.4)


def beam(v):
    points = []
    for z in (-0.12, 0.12):
        for end, begin in ((1, -90), (-1, 90)):
            points += [(end * 0.8 + 0.3 * math.cos(math.radians(begin + 5 * k)), 0.3 * math.sin(math.radians(begin + 5 * k)), z) for k in range(37)]
    v.outline(points)
    top = points[len(points) // 2:]
    v.line(top + top[:1], width=1.2)
    for end in (-0.8, 0.8):
        v.axis_line((end, 0, -0.4), (end, 0, 0.5))


shape("beam", beam, [((0.8, -0.65, 0.12), (-0.8, -0.65, 0.12), "length", (-26, -6)), ((-1.2, -0.3, 0), (-1.2, 0.3, 0), "width", (22, -6)), ((1.2, 0.35, -0.12), (1.2, 0.35, 0.12), "thickness", (44, 12))], frame=1.6)


def mesh(v):
    # An icosahedron: its faces towards the viewer.
    g, size = (1 + math.sqrt(5)) / 2, 0.48
    corners = [tuple(size * c for c in p) for a in (-1, 1) for b in (-g, g) for p in ((0, a, b), (a, b, 0), (b, 0, a))]
    edge = lambda p, q: math.dist(p, q) < 2.01 * size  # noqa: E731
    for a in range(12):
        for b in range(a):
            for c in range(b):
                face = (corners[a], corners[b], corners[c])
                if edge(face[0], face[1]) and edge(face[1], face[2]) and edge(face[0], face[2]) and sum(map(sum, face)) > 0:
                    v.path([v.at(p) for p in face], INK, BLUE, 1.2, closed=True)


shape("mesh", mesh, frame=1.4)


def half_space(v):
    v.outline([(1.3, -1.3, 0), (1.3, 1.3, 0), (-1.3, 1.3, 0), (-1.3, -1.3, 0)], GREY)
    for k in range(9):
        t = -1.3 + 2.6 * k / 8
        v.line([(1.3, t, 0), (1.3, t - 0.12, -0.25)], width=1)
        v.line([(t, 1.3, 0), (t - 0.12, 1.3, -0.25)], width=1)


shape("half_space", half_space, frame=1.0)


def height_field(v):
    n, heights = 6, lambda i, j: 0.28 * math.sin(1.1 * i) * math.cos(0.9 * j) + 0.1
    at = lambda i, j: (-1.2 + 2.4 * i / n, -1.2 + 2.4 * j / n, heights(i, j))  # noqa: E731
    for i in range(n):
        for j in range(n):
            v.path([v.at(p) for p in (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))], INK, BLUE, 1, closed=True)
            v.line([at(i + 1, j), at(i, j + 1)], width=0.6)
    v.line([at(n, 0), (1.2, -1.2, -0.5), (1.2, 1.2, -0.5), at(n, n)])
    v.line([(1.2, 1.2, -0.5), (-1.2, 1.2, -0.5), at(0, n)])


shape("height_field", height_field, [((1.45, -1.2, -0.5), (1.45, 1.2, -0.5), "lengths[2]", (-40, 12)), ((-1.2, 1.45, -0.5), (1.2, 1.45, -0.5), "lengths[1]", (42, 12))], frame=1.7, scale=50)


# Force elements and sensors.

@picture("forces/world")
def _():
    v = View()
    v.box((1.0, 1.0, 0.6), moved(0, 0, -0.2))
    v.frame(moved(0, 0, 0.1), 0.55)
    v.vector((0, -1.7, 1.0), (0, -0.1, 0.15), None, RED)
    v.label((0, -1.7, 1.0), "force", RED, (0, -8))
    v.turn("z", 0.45, 0.7, -30, 110, "torque", offset=(26, 0))
    v.label((0, 0, -0.6), "at", offset=(-56, 0))
    return v


def between(name, spring=False, damper=False, actuator=False, label="s"):
    def draw():
        s = Scheme(360, 150)
        s.rect(30, 50, 50, 50, GREY)
        s.rect(280, 50, 50, 50, BLUE)
        lines = [75] if spring + damper + actuator == 1 else [62, 88] if spring + damper + actuator == 2 else [55, 75, 95]
        for y in lines:
            s.wire((80, y), (100, y))
            s.wire((260, y), (280, y))
        rows = iter(lines)
        if spring:
            s.spring(100, 260, next(rows), 9)
        if damper:
            s.damper(100, 260, next(rows), 9)
        if actuator:
            y = next(rows)
            s.arrow((100, y), (165, y), RED)
            s.arrow((260, y), (195, y), RED)
            s.text(180, y - 8, "force", RED)
        s.arrow((80, 122), (280, 122), width=1.2, both=True)
        s.text(180, 142, label, italic=True)
        s.text(55, 42, "from")
        s.text(305, 42, "to")
        return s
    PICTURES[f"forces/{name}"] = draw


between("spring", spring=True)
between("damper", damper=True, label="s, v = ds/dt")
between("spring-damper", spring=True, damper=True)
between("actuator", actuator=True)


@picture("forces/bushing")
def _():
    v = View()
    v.cylinder("z", 1.7, 0.6, moved(0, 0, -0.3), GREY, inner=1.3)
    v.cylinder("z", 0.5, 1.1, moved(0, 0.1, -0.1))
    v.vector((0.25, 0.1, 0.1), (1.6, 0.1, 0.1), "s[1], φ[1]", RED, (-66, 4))
    v.vector((0, 0.35, 0.1), (0, 1.6, 0.1), "s[2], φ[2]", RED, (4, 12))
    v.vector((0, 0.1, 0.45), (0, 0.1, 1.4), "s[3], φ[3]", RED)
    return v


@picture("sensors/motion")
def _():
    v = View(origin=(110, 165))
    v.frame(same, 0.8, "relative_to", labels=False)
    place = after(turned(0.6), turned(0.35, "x"), moved(0.3, 2.4, 1.5))
    v.box((0.5, 0.5, 0.3), place)
    v.frame(place, 0.8, labels=False)
    v.vector((0, 0, 0), (0.3, 2.4, 1.5), None, RED)
    v.label((0.15, 1.2, 0.75), "r", RED, (-6, -10))
    v.vector((0.3, 2.4, 1.5), (0.3, 3.3, 1.2), "v, a", RED)
    v.label((0.3, 2.4, 1.5), "frame", offset=(-36, -34))
    return v


@picture("sensors/cut-force")
def _():
    s = Scheme(360, 150)
    s.rect(30, 55, 110, 40, GREY)
    s.rect(220, 55, 110, 40, BLUE)
    s.circle(220, 75, 5, fill=PAPER)
    s.path([(180, 30), (172, 60), (188, 90), (180, 125)], RED, dash="5 4")
    s.arrow((222, 75), (275, 40), RED)
    s.text(285, 36, "f", RED, italic=True)
    s.path([(238 + 22 * math.cos(math.radians(a)), 75 + 22 * math.sin(math.radians(a))) for a in range(-20, 140, 5)], RED, width=2)
    s.head((228, 92), (221, 89), RED)
    s.text(268, 122, "t", RED, italic=True)
    s.text(85, 80, "from")
    s.text(300, 80, "to")
    return s


# Components: signals.

def block(name, text, inputs=("u",), output="y", inner=None):
    def draw():
        s = Scheme(360, 130)
        s.block(180, 65, "" if inner else text, 130, 70)
        count = len(inputs)
        for k, each in enumerate(inputs):
            y = 65 + (k - (count - 1) / 2) * 24
            s.signal(50, 115, y, each, 0.4)
        s.signal(245, 315, 65, output, 0.6)
        if inner:
            inner(s)
        return s
    PICTURES[f"components/{name}"] = draw


def curve(function, color=RED):
    """A curve inside a block, x and y from 0 to 1."""
    def draw(s):
        s.path([(130, 92), (232, 92)], "#90a4ae", width=1)
        s.path([(130, 92), (130, 36)], "#90a4ae", width=1)
        s.path([(130 + x, 92 - 52 * function(x / 100)) for x in range(0, 101, 2)], color, width=2)
    return draw


block("gain", "k")
block("sum", "Σ k[i] u[i]", ("u1", "u2", "u3"))
block("integrator", "k / s")
block("transfer-function", "b(s) / a(s)")
block("state-space", "A, B, C, D", ("u1", "u2"))
block("p-pi", "P + PI", ("reference", "phi", "w"))
block("and", "and", ("u1", "u2"))
block("or", "or", ("u1", "u2"))
block("not", "not")
block("latch", "set / reset", ("set", "reset"))
block("custom", "your equations", ("…",), "…")


def plot(name, draw, **keys):
    def picture_of():
        p = Plot(**keys)
        draw(p)
        return p
    PICTURES[f"components/{name}"] = picture_of


def limiter(p):
    p.level(0.8, "max")
    p.level(-0.8, "min")
    p.points([(-1.6, -0.8), (-0.8, -0.8), (0.8, 0.8), (1.6, 0.8)])


plot("limiter", limiter, x=(-1.6, 1.6), y=(-1.1, 1.1), labels=("u", "y"))


def first_order(p):
    p.level(1, "k")
    p.mark(1, "T", 1 - math.exp(-1))
    p.points([(0, 0), (1, 1)], INK, "4 4", 1)
    p.curve(lambda t: 1 - math.exp(-t))
    p.note(1, 1 - math.exp(-1), "63 %", offset=(8, 14))


plot("first-order", first_order, x=(0, 5), y=(0, 1.15))


def pi(p):
    p.level(1, "k")
    p.mark(2, "T", 2)
    p.points([(0, 0), (0, 1), (3.2, 2.6)])
    p.level(2, "2k")
    p.note(2.4, 2.2, "u = 1")


plot("pi", pi, x=(0, 3.2), y=(0, 2.9))


def pid(p):
    p.level(1, "k")
    p.curve(lambda t: 1 + 0.4 * t + 1.6 * math.exp(-t / 0.12), begin=0.0)
    p.points([(0, 0), (0, 2.6)])
    p.points([(0, 1), (3.2, 2.28)], INK, "4 4", 1)
    p.note(0.25, 1.7, "filtered derivative")


plot("pid", pid, x=(0, 3.2), y=(0, 2.9))


def constant(p):
    p.level(0.7, "k")
    p.points([(0, 0.7), (3, 0.7)])


plot("constant", constant, x=(0, 3), y=(0, 1))


def step(p):
    p.level(0.25, "offset")
    p.points([(0, 0.25), (1, 0.25), (1, 0.9), (3, 0.9)])
    p.mark(1, "start")
    p.arrow(p.at(2.4, 0.25), p.at(2.4, 0.9), INK, 1.2, both=True)
    p.note(2.4, 0.55, "height", INK)


plot("step", step, x=(0, 3), y=(0, 1.05))


def ramp(p):
    p.level(0.2, "offset")
    p.points([(0, 0.2), (0.8, 0.2), (2, 0.9), (3, 0.9)])
    p.mark(0.8, "start")
    p.arrow(p.at(0.8, 0.08), p.at(2, 0.08), INK, 1.2, both=True)
    p.note(1.1, 0.1, "duration", INK)
    p.arrow(p.at(2.6, 0.2), p.at(2.6, 0.9), INK, 1.2, both=True)
    p.note(2.6, 0.5, "height", INK)


plot("ramp", ramp, x=(0, 3), y=(0, 1.05))


def trapezoid(p):
    p.points([(0, 0.15), (0.5, 0.15), (1.1, 0.85), (1.9, 0.85), (2.3, 0.15), (3.2, 0.15), (3.5, 0.5)])
    p.level(0.15, "offset")
    for a, b, text in ((0.5, 1.1, "rising"), (1.1, 1.9, "width"), (1.9, 2.3, "falling")):
        p.arrow(p.at(a, 0.97), p.at(b, 0.97), INK, 1, both=True)
        p.note((a + b) / 2, 0.97, text, INK, (-18, -6))
    p.arrow(p.at(0.5, 0.05), p.at(3.2, 0.05), INK, 1, both=True)
    p.note(1.6, 0.05, "period", INK, (0, -4))


plot("trapezoid", trapezoid, x=(0, 3.5), y=(0, 1.1))


def pulse(p):
    for k in range(3):
        p.points([(k, 0.15), (k, 0.85), (k + 0.4, 0.85), (k + 0.4, 0.15), (k + 1, 0.15)])
    p.level(0.15, "offset")
    p.arrow(p.at(1, 0.97), p.at(2, 0.97), INK, 1, both=True)
    p.note(1.3, 0.97, "period", INK)
    p.arrow(p.at(0, 0.5), p.at(0.4, 0.5), INK, 1, both=True)
    p.note(0.4, 0.5, "width · period", INK)


plot("pulse", pulse, x=(0, 3), y=(0, 1.1))


def sine(p):
    p.level(0.3, "offset")
    p.points([(0, 0.3), (0.5, 0.3)])
    p.curve(lambda t: 0.3 + 0.6 * math.sin(2 * math.pi * (t - 0.5) / 1.2), begin=0.5)
    p.mark(0.5, "start", 0.9)
    p.arrow(p.at(0.8, 0.3), p.at(0.8, 0.9), INK, 1, both=True)
    p.note(0.8, 0.5, "amplitude", INK)


plot("sine", sine, x=(0, 3), y=(-0.4, 1.1))


def sample_hold(p):
    f = lambda t: 0.5 + 0.4 * math.sin(2.2 * t)  # noqa: E731
    p.curve(f, "#78909c", dash="4 4")
    corners = []
    for k in range(7):
        corners += [(0.5 * k, f(0.5 * k)), (0.5 * k + 0.5, f(0.5 * k))]
    p.points(corners)
    p.arrow(p.at(1, 0.05), p.at(1.5, 0.05), INK, 1, both=True)
    p.note(1.5, 0.05, "period", INK, (6, 4))


plot("sample-hold", sample_hold, x=(0, 3.5), y=(0, 1))


def sampled_pid(p):
    y, total, corners = 0.0, 0.0, [(0.0, 0.0)]
    for k in range(8):
        u = math.exp(-0.35 * k)
        total += 0.25 * u
        y = 0.45 * (u + total) + (0.18 if k == 1 else 0)
        corners += [(0.4 * k + 0.3, corners[-1][1]), (0.4 * k + 0.3, y)]
    corners.append((3.5, y))
    p.points(corners)
    p.arrow(p.at(1.1, 0.08), p.at(1.5, 0.08), INK, 1, both=True)
    p.note(1.5, 0.08, "period", INK, (6, 4))


plot("sampled-pid", sampled_pid, x=(0, 3.5), y=(0, 1))


def hysteresis(p):
    p.points([(-0.2, 0), (0.7, 0), (0.7, 1)])
    p.points([(0.3, 0), (0.3, 1), (1.3, 1)])
    p.head(p.at(0.7, 0.2), p.at(0.7, 0.6), RED)
    p.head(p.at(0.3, 0.8), p.at(0.3, 0.4), RED)
    for x, text in ((0.3, "low"), (0.7, "high")):
        p.text(p.at(x, 0)[0], p.low + 20, text, size=12, italic=True)
    p.text(p.left - 6, p.at(0, 1)[1] + 5, "1", size=12, anchor="end")


plot("hysteresis", hysteresis, x=(-0.2, 1.3), y=(0, 1.15), labels=("u", "y"))


@picture("components/table-2d")
def _():
    v = View(origin=(170, 140), scale=62)
    z = [[0.2, 0.5, 0.9], [0.3, 0.9, 1.2], [0.1, 0.5, 0.7]]
    at = lambda i, j: (0.85 * i - 0.85, 0.85 * j - 0.85, z[i][j])  # noqa: E731
    for i in range(3):
        for j in range(3):
            v.line([(0.85 * i - 0.85, 0.85 * j - 0.85, 0), at(i, j)], "#90a4ae", 1, "3 3")
    for i in range(2):
        for j in range(2):
            v.path([v.at(p) for p in (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))], INK, BLUE, 1.2, closed=True)
    v.vector((0.85, -0.85, 0), (1.5, -0.85, 0), "u1", offset=(-20, 4))
    v.vector((-0.85, 0.85, 0), (-0.85, 1.5, 0), "u2")
    v.vector((-0.85, -0.85, 0), (-0.85, -0.85, 1.3), "y")
    return v


# Components: one-dimensional mechanics.

def element(name, middle, right="b", label=None, height=130):
    def draw():
        s = Scheme(360, height)
        middle(s)
        s.flange(60, 65, "a")
        if right == "ground":
            s.ground(300, 65)
        else:
            s.flange(300, 65, right, 1)
        if label:
            s.text(180, height - 12, label, italic=True)
        return s
    PICTURES[f"components/{name}"] = draw


def spring_damper(s):
    s.wire((60, 65), (90, 65), (90, 45), (110, 45))
    s.wire((90, 65), (90, 88), (110, 88))
    s.spring(110, 250, 45, 9)
    s.damper(110, 250, 88, 9)
    s.wire((250, 45), (270, 45), (270, 65), (300, 65))
    s.wire((250, 88), (270, 88), (270, 65))


element("spring", lambda s: s.spring(60, 300, 65), label="effort = stiffness (x - rest)")
element("damper", lambda s: s.damper(60, 300, 65), label="effort = damping x'")
element("spring-damper", spring_damper, height=140)


def discs(fill=PAPER, arrow=None):
    def draw(s):
        s.wire((60, 65), (165, 65))
        s.wire((195, 65), (300, 65))
        s.rect(165, 35, 9, 60, fill)
        s.rect(186, 35, 9, 60, fill)
        if arrow:
            s.arrow((180, 10), (180, 32), RED)
            s.text(196, 22, arrow, RED, italic=True)
    return draw


def stribeck(p):
    f = lambda w: 0.6 + 0.35 * math.exp(-((w / 0.35) ** 2)) + 0.06 * w  # noqa: E731
    p.curve(f, begin=0.0)
    p.curve(lambda w: -f(-w), end=0.0)
    p.points([(0, -0.95), (0, 0.95)], RED)
    p.level(0.95, "static")
    p.level(0.6, "sliding")
    p.note(0.9, 0.75, "viscous", INK)


plot("friction", stribeck, x=(-2, 2), y=(-1.1, 1.1), labels=("w", "effort"))
element("brake", discs(GREY, "u"), "ground")
element("clutch", discs(PAPER, "u"))


def gear(s):
    s.wire((60, 65), (150, 65))
    s.rect(150, 50, 20, 30)
    s.rect(150, 84, 20, 56)
    s.wire((170, 112), (210, 112), (210, 65), (300, 65))
    s.text(128, 46, "ratio w", italic=True)
    s.text(250, 56, "w", italic=True)


element("gear", gear, height=150)


def elastic_gear(p):
    p.points([(-1.4, -1.05), (-0.35, 0), (0.35, 0), (1.4, 1.05)])
    p.arrow(p.at(-0.35, -0.2), p.at(0.35, -0.2), INK, 1, both=True)
    p.note(-0.35, -0.45, "backlash", INK, (0, 0))
    p.note(0.9, 0.5, "stiffness", INK, (8, 8))


plot("elastic-gear", elastic_gear, x=(-1.5, 1.5), y=(-1.1, 1.1), labels=("x", "effort"))


def end_stop(p):
    p.points([(-1.5, -1), (-0.6, 0), (0.8, 0), (1.5, 0.78)])
    for x, text in ((-0.6, "lower"), (0.8, "upper")):
        u, w = p.at(x, 0)
        p.text(u, w + 18, text, size=12, italic=True)


plot("end-stop", end_stop, x=(-1.6, 1.6), y=(-1.1, 1.1), labels=("x", "effort"))


def one_flange(name, draw_more, height=130):
    def draw():
        s = Scheme(360, height)
        draw_more(s)
        s.flange(80, 65, "flange")
        return s
    PICTURES[f"components/{name}"] = draw


def rotor(s):
    s.wire((80, 65), (180, 65))
    s.rect(180, 25, 50, 80, BLUE)
    s.wire((230, 65), (260, 65))
    s.text(205, 70, "J", italic=True)


def slider(s):
    s.wire((80, 65), (170, 65))
    s.rect(170, 40, 90, 50, BLUE)
    s.text(215, 70, "m", italic=True)
    s.path([(150, 96), (290, 96)])
    for x in (185, 245):
        s.circle(x, 93, 3)


one_flange("inertia", rotor)
one_flange("mass", slider)


def torque(s):
    s.wire((80, 65), (200, 65))
    s.path([(200 + 14 * math.cos(math.radians(a)), 65 - 34 * math.sin(math.radians(a))) for a in range(-120, 121, 5)], RED, width=2)
    s.head((197, 33), (191, 37), RED)
    s.text(240, 70, "tau", RED, italic=True)


def force(s):
    s.arrow((200, 65), (90, 65), RED, 3)
    s.text(225, 70, "f", RED, italic=True)


def speed(s):
    s.wire((80, 65), (170, 65))
    s.circle(195, 65, 25, fill=PAPER)
    s.text(195, 70, "w(t)", italic=True)
    s.wire((220, 65), (270, 65))
    s.ground(270, 65)


def motor(s):
    s.wire((80, 65), (150, 65))
    s.circle(175, 65, 25, fill=BLUE)
    s.text(175, 71, "M")
    s.wire((175, 40), (175, 18), (215, 18))
    s.rect(215, 10, 40, 16)
    s.text(235, 40, "R", size=12, italic=True)
    s.wire((255, 18), (270, 18))
    s.path([(270 + 7.5 * k + 7.5 * (1 - math.cos(math.radians(a))) / 2 * 1.0, 18 - 8 * math.sin(math.radians(a))) for k in range(4) for a in range(0, 181, 20)])
    s.text(285, 40, "L", size=12, italic=True)
    s.wire((300, 18), (330, 18), (330, 112), (175, 112), (175, 90))
    s.text(318, 70, "v", RED, italic=True)


one_flange("torque", torque)
one_flange("force", force)
one_flange("speed", speed)
one_flange("dc-motor", motor)


@picture("components/heat-rod")
def _():
    s = Scheme(360, 130)
    for k in range(6):
        shade = ["#ef9a9a", "#f3b0a8", "#f6c7b6", "#dfd3cc", "#b9cfe4", "#90caf9"][k]
        s.rect(90 + 30 * k, 45, 30, 40, shade)
        s.text(105 + 30 * k, 70, f"T{k + 1}", size=11)
    s.arrow((30, 65), (86, 65), RED)
    s.text(50, 56, "Q_a, T_a", RED, 12)
    s.arrow((274, 65), (330, 65), RED)
    s.text(310, 56, "Q_b, T_b", RED, 12)
    s.arrow((90, 100), (270, 100), width=1.2, both=True)
    s.text(180, 118, "length", italic=True)
    return s


@picture("components/heat-capacity")
def _():
    s = Scheme(360, 130)
    s.rect(140, 35, 80, 60, "#ef9a9a")
    s.text(180, 70, "C, T", italic=True)
    s.arrow((60, 65), (136, 65), RED)
    s.text(95, 56, "Q", RED, italic=True)
    s.arrow((224, 65), (300, 65), INK)
    s.text(226, 46, "G (T - T_ambient)", size=12, anchor="start")
    return s


@picture("components/point-mass-rocket")
def _():
    p = Plot(x=(0, 15), y=(0, 1.1), labels=("t", "h1, h2"))
    up = lambda t: 0.004 * t * t  # noqa: E731
    p.curve(up, INK, end=5)
    p.curve(lambda t: 0.1 + 0.04 * (t - 5) + 0.0035 * (t - 5) ** 2, end=15, begin=5)
    p.curve(lambda t: 0.1 + 0.04 * (t - 5) - 0.006 * (t - 5) ** 2, "#1565c0", begin=5, end=10)
    p.mark(5, "separation")
    p.mark(10, "drop")
    p.note(12, 0.6, "h2")
    p.note(8, 0.12, "h1", "#1565c0", (0, 16))
    return p


# Steps of action programs.

def before_after(name, before, behind, between_text):
    def draw():
        s = Scheme(360, 140)
        before(s, 0)
        s.arrow((160, 70), (200, 70))
        s.text(180, 60, between_text, size=12)
        behind(s, 200)
        return s
    PICTURES[f"actions/{name}"] = draw


def apart(s, x):
    s.rect(x + 20, 50, 45, 40, GREY)
    s.rect(x + 90, 50, 45, 40, BLUE)
    s.circle(x + 65, 70, 4, RED, RED)
    s.circle(x + 90, 70, 4, RED, RED)


def joined(s, x):
    s.rect(x + 32, 50, 45, 40, GREY)
    s.rect(x + 77, 50, 45, 40, BLUE)
    s.circle(x + 77, 70, 4, RED, RED)


def alone(s, x):
    s.rect(x + 32, 50, 45, 40, GREY)


def ghost(s, x):
    alone(s, x)
    s.path([(x + 92, 50), (x + 137, 50), (x + 137, 90), (x + 92, 90)], "#90a4ae", dash="4 4", closed=True)


before_after("attach", apart, joined, "attach")
before_after("release", joined, apart, "release")
before_after("delete", apart, ghost, "delete")
before_after("insert", ghost, apart, "insert")


def timeline(name, draw_more, **keys):
    def draw():
        p = Plot(**keys)
        draw_more(p)
        return p
    PICTURES[f"actions/{name}"] = draw


def wait(p):
    p.points([(0.6, 0.5), (2.2, 0.5)], RED, width=4)
    p.mark(0.6, "step begins", 0.8)
    p.mark(2.2, "next step", 0.8)
    p.note(1.3, 0.5, "wait", offset=(0, -10))


timeline("wait", wait, x=(0, 3), y=(0, 1), labels=("t", ""))


def until(p):
    p.curve(lambda t: 0.9 * math.exp(-0.6 * t), INK)
    p.level(0.3, "0.1")
    t = math.log(3) / 0.6
    p.mark(t, "event: next step", 0.3)
    p.circle(*p.at(t, 0.3), 4, RED, RED)
    p.note(0.9, 0.6, 'until = "part.r_abs[3] < 0.1"', INK, (10, -4))


timeline("until", until, x=(0, 3.4), y=(0, 1), labels=("t", "r"))


def move(p):
    p.points([(0, 0), (0.7, 0.8), (1.9, 0.8), (2.6, 0)])
    p.points([(2.6, 0), (3.1, -0.55), (3.6, 0)], RED)
    p.level(0.8, "v_max")
    p.note(0.25, 0.4, "a_max", INK, (12, 10))
    p.note(1.0, 0.35, "first point", INK)
    p.note(2.7, -0.75, "second", INK, (0, 0))


timeline("move", move, x=(0, 3.8), y=(-0.9, 1.0), labels=("t", "v"))


@picture("actions/line")
def _():
    s = Scheme(360, 170)
    s.ground(60, 120, 40)
    a, b = (60, 120), (150, 50)
    for elbow, tip, color in (((150, 50), (220, 110), INK), ((160, 80), (260, 80), "#90a4ae")):
        s.path([a, elbow, tip], color, width=4)
        s.circle(*elbow, 5, fill=PAPER)
        s.circle(*tip, 4, RED, RED)
    s.path([(220, 110), (310, 42)], RED, dash="6 4", width=2)
    s.head((290, 57), (310, 42), RED)
    s.text(318, 38, "to", RED)
    s.circle(*a, 5, fill=PAPER)
    s.text(228, 128, "tool")
    return s


def chart(name, condition, back):
    def draw():
        s = Scheme(360, 170)
        s.path([(120, 20), (180, 50), (120, 80), (60, 50)], INK, PAPER, closed=True)
        s.text(120, 55, condition, size=13)
        s.block(120, 125, "steps", 80, 34, BLUE)
        s.arrow((120, 80), (120, 106), width=1.5)
        s.arrow((120, 4), (120, 19), width=1.5)
        s.text(132, 97, "true", size=12, anchor="start")
        if back:
            s.path([(80, 125), (40, 125), (40, 50), (58, 50)])
            s.head((40, 50), (60, 50), INK)
            s.path([(180, 50), (250, 50), (250, 150)])
            s.head((250, 120), (250, 150), INK)
            s.text(215, 42, "false", size=12)
            s.text(250, 166, "next step", size=12)
        else:
            s.block(260, 125, "else", 80, 34, BLUE)
            s.path([(180, 50), (260, 50), (260, 106)])
            s.head((260, 80), (260, 106), INK)
            s.text(220, 42, "false", size=12)
            s.path([(120, 142), (120, 156), (260, 156), (260, 142)])
            s.arrow((190, 156), (190, 168), width=1.5)
        return s
    PICTURES[f"actions/{name}"] = draw


chart("repeat", "rounds left", True)
chart("while", "condition", True)
chart("if", "condition", False)


# The tutorial and the cookbook, seen from the side.

def link(s, a, b, color=BLUE, width=12):
    s.path([a, b], INK, width=width + 3)
    s.path([a, b], color, width=width)
    for x, y in (a, b):
        s.circle(x, y, 4, fill="#ffffff")


def floor(s, x1, x2, y):
    s.path([(x1, y), (x2, y)], width=2)
    for k in range(int((x2 - x1) / 16)):
        s.path([(x1 + 16 * k + 10, y), (x1 + 16 * k + 2, y + 8)], width=1)


def arc(s, x, y, r, begin, end, label=None, color=RED, offset=(4, 4)):
    """An arrow about a point, angles in degrees, counter-clockwise from the right."""
    points = [(x + r * math.cos(math.radians(begin + (end - begin) * k / 30)), y - r * math.sin(math.radians(begin + (end - begin) * k / 30))) for k in range(31)]
    s.path(points, color, width=2)
    s.head(points[-3], points[-1], color)
    if label:
        s.text(points[15][0] + offset[0], points[15][1] + offset[1], label, color, 13, "start", italic=True)


@picture("tutorial/robot")
def _():
    s = Scheme(520, 300)
    floor(s, 20, 500, 270)
    shoulder, elbow, wrist = (90, 120), (200, 60), (300, 130)
    s.rect(76, 120, 28, 150, GREY)
    link(s, shoulder, elbow, "#ffb74d")
    link(s, elbow, wrist, "#ffe082")
    s.path([wrist, (300, 165)], width=4)
    s.rect(262, 165, 76, 14, GREY)
    for x in (270, 322):
        s.rect(x, 179, 9, 48, PAPER)
    s.rect(170, 256, 300, 14, "#d7ccc8")
    s.rect(282, 220, 36, 36, "#ffcc80")
    s.path([(192, 220), (228, 220), (228, 256), (192, 256)], "#90a4ae", dash="4 4", closed=True)
    s.path([shoulder, (190, 120)], INK, width=1, dash="6 4")
    arc(s, 90, 120, 62, 0, 26, "shoulder.phi", offset=(6, 2))
    arc(s, 200, 60, 46, 28, -33, "elbow.phi", offset=(8, -2))
    s.path([elbow, (250, 33)], INK, width=1, dash="6 4")
    s.text(132, 82, "L1", italic=True)
    s.text(264, 86, "L2", italic=True)
    s.arrow((50, 270), (50, 120), width=1.2, both=True)
    s.text(40, 200, "h", italic=True)
    s.arrow((90, 288), (300, 288), width=1.2, both=True)
    s.text(195, 285, "x1", italic=True)
    s.text(210, 244, "x2", italic=True)
    s.arrow((90, 120), (90, 40), width=1.5)
    s.text(80, 46, "z", italic=True)
    s.text(350, 205, "tool", size=12, anchor="start")
    return s


@picture("cookbook/suspension")
def _():
    s = Scheme(420, 260)
    s.ground(60, 130, 190)
    link(s, (75, 180), (240, 190), "#90caf9", 9)
    link(s, (95, 80), (225, 85), "#a5d6a7", 9)
    link(s, (240, 190), (225, 85), "#ffb74d", 10)
    link(s, (80, 150), (248, 160), "#ef9a9a", 5)
    s.rect(262, 40, 56, 190, "#78909c")
    s.path([(236, 138), (262, 138)], width=6)
    angle = math.atan2(188 - 30, 165 - 130)
    top, foot = (130, 28), (165, 186)
    points = [(top[0] + (foot[0] - top[0]) * k / 40, top[1] + (foot[1] - top[1]) * k / 40) for k in range(41)]
    coil = [(x + (0 if k < 6 or k > 34 else 9 * (-1) ** k) * math.sin(angle), y - (0 if k < 6 or k > 34 else 9 * (-1) ** k) * math.cos(angle)) for k, (x, y) in enumerate(points)]
    s.path(coil)
    s.path([(110, 28), (150, 28)], width=2.5)
    s.arrow((345, 175), (345, 95), RED, both=True)
    s.text(352, 138, "travel", RED, anchor="start", italic=True)
    s.arrow((290, 256), (290, 234), RED, 2)
    s.text(300, 252, "road", RED, 13, "start", italic=True)
    s.text(160, 212, "lower", size=13)
    s.text(180, 72, "upper", size=13)
    s.text(106, 170, "tie rod", size=12)
    s.text(222, 122, "upright", size=12, anchor="end")
    return s


@picture("cookbook/crane")
def _():
    s = Scheme(460, 270)
    s.rect(30, 24, 400, 14, GREY)
    s.rect(150, 38, 70, 26, "#ffb74d")
    s.path([(185, 64), (235, 214)], width=2)
    s.rect(205, 214, 64, 40, "#ffcc80")
    s.path([(185, 64), (185, 200)], INK, width=1, dash="6 4")
    arc(s, 185, 64, 110, -90, -72, "sway.phi", offset=(-30, 18))
    s.arrow((40, 52), (150, 52), RED)
    s.text(95, 72, "trolley.s", RED, 13, italic=True)
    s.text(222, 130, "rope.s", RED, 13, "start", italic=True)
    s.text(237, 240, "m", italic=True)
    s.arrow((370, 120), (430, 120), width=1.5)
    s.arrow((370, 120), (370, 60), width=1.5)
    s.text(436, 134, "x", italic=True)
    s.text(358, 66, "z", italic=True)
    return s


@picture("cookbook/gripper")
def _():
    s = Scheme(420, 250)
    floor(s, 60, 360, 225)
    s.path([(210, 10), (210, 40)], width=6)
    s.rect(120, 40, 180, 26, GREY)
    s.rect(150, 66, 18, 100, PAPER)
    s.rect(252, 66, 18, 100, PAPER)
    s.rect(168, 100, 84, 90, "#ffcc80")
    s.arrow((90, 140), (149, 140), RED)
    s.arrow((330, 140), (271, 140), RED)
    s.text(84, 145, "grip", RED, anchor="end", italic=True)
    s.text(336, 145, "grip", RED, anchor="start", italic=True)
    s.arrow((210, 145), (210, 215), INK)
    s.text(218, 210, "m g", anchor="start", italic=True)
    for x in (172, 248):
        s.arrow((x, 160), (x, 112), "#1565c0")
    s.text(210, 122, "mu_k grip", "#1565c0", 12, italic=True)
    s.arrow((390, 30), (390, 90), width=1.5)
    s.text(376, 66, "slide.s", anchor="end", size=13, italic=True)
    return s


@picture("cookbook/docking")
def _():
    s = Scheme(460, 220)
    s.rect(30, 60, 130, 90, GREY)
    s.rect(70, 10, 50, 50, "#5c6bc0")
    s.rect(70, 150, 50, 50, "#5c6bc0")
    s.circle(160, 105, 4, RED, RED)
    s.text(168, 126, "port", size=13, anchor="start")
    s.path([(300, 65), (390, 45), (400, 90), (310, 110)], INK, "#ffb74d", closed=True)
    s.path([(305, 88), (280, 93)], width=4)
    s.circle(278, 94, 4, RED, RED)
    s.text(280, 118, "probe", size=13)
    s.arrow((160, 105), (274, 94), RED)
    s.text(214, 88, "gap.r", RED, italic=True)
    s.arrow((350, 76), (300, 140), "#1565c0")
    s.text(300, 158, "thrusters", "#1565c0", 13)
    arc(s, 95, 105, 28, 30, 300, None, INK)
    return s


@picture("cookbook/cam")
def _():
    s = Scheme(420, 270)
    s.circle(190, 190, 60, fill=BLUE)
    s.circle(215, 172, 5, fill="#ffffff")
    s.circle(190, 190, 2, fill=INK)
    s.arrow((215, 172), (191, 189), RED, 1.5)
    s.text(196, 172, "e", RED, italic=True)
    s.arrow((190, 190), (148, 233), INK, 1.2)
    s.text(178, 224, "R", italic=True)
    s.rect(140, 112, 100, 18, "#90a4ae")
    s.rect(184, 60, 12, 52, "#90a4ae")
    s.path([(190, 60), (176, 54), (204, 46), (176, 38), (204, 30), (176, 22), (190, 16)])
    s.path([(160, 14), (220, 14)], width=2.5)
    s.arrow((280, 150), (280, 100), RED)
    s.text(288, 124, "lift.s", RED, anchor="start", italic=True)
    arc(s, 215, 172, 84, -20, 40, "speed", offset=(8, 6))
    s.text(214, 40, "c, F0", anchor="start", italic=True)
    s.text(232, 90, "m", italic=True)
    return s


@picture("cookbook/bearing")
def _():
    v = View(460, 270, scale=95, origin=(220, 130))
    v.cylinder("z", 2.2, 0.2, moved(0, 0, -0.35), GREY)
    for k in range(6):
        a = math.radians(60 * k + 15)
        v.sphere(0.4, moved(0.75 * math.cos(a), 0.75 * math.sin(a), -0.05), PAPER)
    for r in (0.62, 0.88):
        v.line([(r * math.cos(math.radians(5 * k)), r * math.sin(math.radians(5 * k)), -0.05) for k in range(73)], "#f9a825", 2.5)
    v.line([(1.1 * math.cos(math.radians(5 * k)), 1.1 * math.sin(math.radians(5 * k)), 0.16) for k in range(73)], INK, 1.2, "6 4")
    v.axis_line((0, 0, -0.6), (0, 0, 0.9))
    v.vector((0, 0, 1.25), (0, 0, 0.75), "load", RED, (8, -20))
    v.turn("z", 0.5, 0.5, -60, 120, "w", offset=(4, 16))
    v.turn("z", -0.05, 0.75, -80, -30, "w/2", offset=(-44, 26))
    return v


@picture("cookbook/vehicle")
def _():
    s = Scheme(480, 230)
    wave = lambda x: 190 + 10 * math.sin(x / 38)  # noqa: E731
    s.path([(x, wave(x)) for x in range(10, 471, 5)], INK, width=2)
    s.rect(120, 54, 230, 34, "#ef5350")
    s.rect(180, 20, 110, 34, "#b0c4de")
    for x in (165, 305):
        y = wave(x) - 34
        s.circle(x, y, 34, fill="#78909c")
        s.circle(x, y, 14, fill="#cfd8dc")
        s.path([(x, 88), (x - 8, 94), (x + 8, 102), (x - 8, 110), (x + 8, 118), (x, 126), (x, y)], INK)
        s.arrow((x, 226), (x, wave(x) + 4), RED)
    s.text(184, 226, "f_n", RED, 13, italic=True)
    s.arrow((400, 120), (400, 70), RED, both=True)
    s.text(408, 100, "travel.s", RED, 13, "start", italic=True)
    arc(s, 305, wave(305) - 34, 44, 60, -10, "torque", offset=(8, 0))
    s.arrow((50, 80), (100, 80), width=1.5)
    s.text(46, 74, "x", italic=True)
    return s


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail when a picture is stale")
    arguments = parser.parse_args()
    stale = []
    for name, draw in PICTURES.items():
        path, text = HERE / f"{name}.svg", draw().svg()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not arguments.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    drawn = {str(path.relative_to(HERE).with_suffix("")) for path in HERE.glob("*/*.svg")}
    stale += sorted(drawn - set(PICTURES))
    if arguments.check and stale:
        sys.exit(f"stale pictures: {', '.join(stale)}; run {__file__}")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
