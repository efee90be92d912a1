#!/usr/bin/env python3
"""A model with many face contacts, on standard output: boxes fall into a bin.

    python3 benches/boxes.py > boxes.toml
    mbfmu simulate boxes.toml --threads 1 --stats -o boxes.csv
    mbfmu simulate boxes.toml --threads 2 --stats -o boxes.csv      # the same bytes
"""

import argparse
import math

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--layers", type=int, default=7, help="layers of 36 boxes [default: 7]")
layers = arguments.parse_args().layers

solid = 'material = "DryWood", collides = true'
print(f"""name = "Boxes"
gravity = [0, 0, -9.81]
contact = {{ k_red = 1e-3 }}
experiment = {{ stop = 0.42, step = 0.02, tolerance = 1e-4 }}
outputs = ["number_of_contacts", "energy.kinetic"]

[objects.floor]
fixed = true
r = [0, 0, -0.1]
solid = {{ shape = "box", lengths = [4, 4, 0.2], massless = true, {solid} }}""")
for name, place, lengths in [
    ("left", [-0.75, 0, 0.5], [0.1, 1.6, 1]),
    ("right", [0.75, 0, 0.5], [0.1, 1.6, 1]),
    ("front", [0, 0.75, 0.5], [1.6, 0.1, 1]),
    ("back", [0, -0.75, 0.5], [1.6, 0.1, 1]),
]:
    print(f"""
[objects.{name}]
fixed = true
r = {place}
solid = {{ shape = "box", lengths = {lengths}, massless = true, {solid} }}""")
for k in range(36 * layers):
    place = [-0.55 + 0.22 * (k % 6), -0.55 + 0.22 * (k // 6 % 6), 0.15 + 0.22 * (k // 36)]
    # Angles that look random enough.
    turn = [math.modf(12.99 * math.sin(78.2 * k + axis))[0] for axis in range(3)]
    print(f"""
[objects.box{k}]
free = true
r = [{place[0]:.2f}, {place[1]:.2f}, {place[2]:.2f}]
rotation = [{turn[0]:.4f}, {turn[1]:.4f}, {turn[2]:.4f}]
solid = {{ shape = "box", lengths = [0.14, 0.1, 0.08], {solid} }}""")
