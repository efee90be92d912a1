"""Line drawings as SVG: solids in isometric view, curves, and the symbols of machine elements."""

import math

INK, GREY, BLUE, RED, PAPER = "#263238", "#b0bec5", "#90caf9", "#c62828", "#eceff1"
COS, SIN = math.cos(math.radians(30)), math.sin(math.radians(30))


def number(value):
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def hull(points):
    """Convex hull of points in the plane, counter-clockwise."""
    points = sorted(set((round(x, 3), round(y, 3)) for x, y in points))

    def half(points):
        chain = []
        for p in points:
            while len(chain) > 1 and cross(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    def cross(o, a, b):
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    return half(points) + half(points[::-1])


class Picture:
    """A drawing in pixels, y downwards."""

    def __init__(self, width=360, height=200):
        self.width, self.height, self.parts = width, height, []

    def add(self, text):
        self.parts.append(text)

    def path(self, points, stroke=INK, fill="none", width=1.5, dash=None, closed=False):
        places = " L".join(f"{number(x)},{number(y)}" for x, y in points)
        end = " Z" if closed else ""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<path d="M{places}{end}" stroke="{stroke}" fill="{fill}" stroke-width="{number(width)}"{dashed}/>')

    def circle(self, x, y, r, stroke=INK, fill="none", width=1.5):
        self.add(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" stroke="{stroke}" fill="{fill}" stroke-width="{number(width)}"/>')

    def rect(self, x, y, w, h, fill=PAPER, stroke=INK):
        self.path([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], stroke, fill, closed=True)

    def text(self, x, y, text, color=INK, size=14, anchor="middle", italic=False):
        text = str(text).replace("&", "&amp;").replace("<", "&lt;")
        style = ' font-style="italic"' if italic else ""
        self.add(f'<text x="{number(x)}" y="{number(y)}" font-size="{size}" text-anchor="{anchor}" fill="{color}"{style}>{text}</text>')

    def arrow(self, start, end, color=INK, width=2, both=False):
        self.path([start, end], color, width=width)
        self.head(start, end, color)
        if both:
            self.head(end, start, color)

    def head(self, start, end, color):
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        corner = lambda turn: (end[0] - 9 * math.cos(angle + turn), end[1] - 9 * math.sin(angle + turn))  # noqa: E731
        self.path([end, corner(0.4), corner(-0.4)], color, color, 1, closed=True)

    def svg(self):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        style = 'font-family="sans-serif" stroke-linejoin="round" stroke-linecap="round"'
        ground = f'<rect width="{self.width}" height="{self.height}" rx="6" fill="#ffffff"/>'
        return "\n".join([f"{head} {style}>", ground, *self.parts, "</svg>"]) + "\n"


def turned(angle, axis="z"):
    """A rotation of points."""
    c, s = math.cos(angle), math.sin(angle)
    return {
        "x": lambda p: (p[0], c * p[1] - s * p[2], s * p[1] + c * p[2]),
        "y": lambda p: (c * p[0] + s * p[2], p[1], -s * p[0] + c * p[2]),
        "z": lambda p: (c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]),
    }[axis]


def after(*maps):
    def apply(p):
        for each in maps:
            p = each(p)
        return p
    return apply


def moved(*by):
    return lambda p: tuple(a + b for a, b in zip(p, by))


def same(p):
    return p


def on_axis(axis, along, u, v):
    """A point by its coordinate along an axis and across it."""
    return {"x": (along, u, v), "y": (v, along, u), "z": (u, v, along)}[axis]


def ring(axis, along, radius, center=(0, 0, 0), n=48, begin=0.0, end=2 * math.pi):
    points = []
    for k in range(n + 1):
        angle = begin + (end - begin) * k / n
        points.append(moved(*center)(on_axis(axis, along, radius * math.cos(angle), radius * math.sin(angle))))
    return points


class View(Picture):
    """Isometric view: x to the lower left, y to the lower right, z up."""

    def __init__(self, width=360, height=230, scale=60, origin=(180, 130)):
        super().__init__(width, height)
        self.scale, self.origin = scale, origin

    def at(self, p):
        x, y, z = p
        return self.origin[0] + self.scale * (y - x) * COS, self.origin[1] + self.scale * ((x + y) * SIN - z)

    def line(self, points, color=INK, width=1.5, dash=None):
        self.path([self.at(p) for p in points], color, width=width, dash=dash)

    def vector(self, start, end, label=None, color=INK, offset=(8, -4), both=False):
        self.arrow(self.at(start), self.at(end), color, both=both)
        if label:
            x, y = self.at(end)
            self.text(x + offset[0], y + offset[1], label, color, anchor="start", italic=True)

    def label(self, p, text, color=INK, offset=(0, 0), anchor="middle"):
        x, y = self.at(p)
        self.text(x + offset[0], y + offset[1], text, color, anchor=anchor)

    def frame(self, place=same, length=0.5, name="", labels=True):
        origin = place((0, 0, 0))
        for axis, end in zip("xyz", [(length, 0, 0), (0, length, 0), (0, 0, length)]):
            self.vector(origin, place(end), axis if labels else None, offset=(-14, 2) if axis == "x" else (5, 2))
        if name:
            self.label(origin, name, offset=(-8, -10), anchor="end")

    def outline(self, points, fill=BLUE):
        self.path(hull([self.at(p) for p in points]), INK, fill, closed=True)

    def box(self, lengths, place=same, fill=BLUE):
        a, b, c = (length / 2 for length in lengths)
        corner = lambda i, j, k: place((i * a, j * b, k * c))  # noqa: E731
        self.outline([corner(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], fill)
        # Of every axis, the face towards the viewer.
        for axis in range(3):
            signs = [[0, 0, 0] for _ in range(4)]
            for sign, (u, v) in zip(signs, [(-1, -1), (1, -1), (1, 1), (-1, 1)]):
                sign[(axis + 1) % 3], sign[(axis + 2) % 3] = u, v
            normal = place(tuple(1.0 if k == axis else 0.0 for k in range(3)))
            origin = place((0, 0, 0))
            side = 1 if sum(n - o for n, o in zip(normal, origin)) > 0 else -1
            for sign in signs:
                sign[axis] = side
            self.path([self.at(corner(*sign)) for sign in signs], INK, "none", 1.2, closed=True)

    def cylinder(self, axis="z", d=1.0, length=1.0, place=same, fill=BLUE, top=None, inner=0.0):
        top = d if top is None else top
        ends = [[place(p) for p in ring(axis, -length / 2, d / 2)], [place(p) for p in ring(axis, length / 2, top / 2)]]
        self.outline(ends[0] + ends[1], fill)
        away = sum(place(on_axis(axis, 1, 0, 0))) < sum(place((0, 0, 0)))
        if top > 0 or away:
            self.line(ends[0] if away else ends[1], width=1.2)
        if inner:
            hole = [place(p) for p in ring(axis, length / 2, inner / 2)]
            self.path([self.at(p) for p in hole], INK, "#ffffff", 1.2, closed=True)

    def sphere(self, d=1.0, place=same, fill=BLUE, lengths=None):
        a, b, c = lengths or (d, d, d)
        points = []
        for i in range(25):
            for j in range(48):
                u, v = math.pi * i / 24, 2 * math.pi * j / 48
                points.append(place((a / 2 * math.sin(u) * math.cos(v), b / 2 * math.sin(u) * math.sin(v), c / 2 * math.cos(u))))
        self.outline(points, fill)
        front = [place((a / 2 * math.cos(t), b / 2 * math.sin(t), 0)) for t in [math.radians(k * 5 - 45) for k in range(37)]]
        self.line(front, width=0.8)

    def capsule(self, axis="z", d=0.5, length=1.0, place=same, fill=BLUE):
        points = []
        for end, low, high in ((-1, -90, 0), (1, 0, 90)):
            for k in range(10):
                angle = math.radians(low + (high - low) * k / 9)
                along = end * length / 2 + d / 2 * math.sin(angle)
                points += ring(axis, along, d / 2 * math.cos(angle))
        self.outline([place(p) for p in points], fill)
        for end in (-1, 1):
            begin = {"z": -45, "x": -45, "y": -45}[axis]
            arc = ring(axis, end * length / 2, d / 2, begin=math.radians(begin), end=math.radians(begin + 180))
            self.line([place(p) for p in arc], width=0.8)

    def axis_line(self, start, end):
        self.line([start, end], INK, 1, "10 3 2 3")

    def turn(self, axis, along, radius, begin, end, label, center=(0, 0, 0), place=same, color=RED, offset=(8, 0)):
        """An arrow that turns about an axis, angles in degrees."""
        arc = [place(p) for p in ring(axis, along, radius, center, begin=math.radians(begin), end=math.radians(end))]
        self.line(arc, color, 2)
        self.head(self.at(arc[-3]), self.at(arc[-1]), color)
        x, y = self.at(arc[len(arc) * 2 // 3])
        self.text(x + offset[0], y + offset[1], label, color, anchor="start", italic=True)


class Plot(Picture):
    """Curves over an axis."""

    def __init__(self, x=(0, 1), y=(0, 1), labels=("t", "y"), width=360, height=190):
        super().__init__(width, height)
        self.x, self.y = x, y
        self.left, self.right, self.low, self.high = 58, width - 26, height - 32, 22
        base = min(max(0, y[0]), y[1])
        self.arrow(self.at(x[0], base), (self.right + 14, self.at(0, base)[1]), width=1.2)
        self.arrow((self.left, self.low + 6), (self.left, self.high - 12), width=1.2)
        self.text(self.right + 12, self.at(0, base)[1] + 18, labels[0], italic=True)
        self.text(self.left - 6, self.high - 4, labels[1], anchor="end", italic=True)

    def at(self, x, y):
        u = (x - self.x[0]) / (self.x[1] - self.x[0])
        v = (y - self.y[0]) / (self.y[1] - self.y[0])
        return self.left + u * (self.right - self.left), self.low - v * (self.low - self.high)

    def curve(self, function, color=RED, n=240, dash=None, begin=None, end=None):
        begin, end = self.x[0] if begin is None else begin, self.x[1] if end is None else end
        xs = [begin + (end - begin) * k / n for k in range(n + 1)]
        self.path([self.at(x, function(x)) for x in xs], color, width=2, dash=dash)

    def points(self, points, color=RED, dash=None, width=2):
        self.path([self.at(x, y) for x, y in points], color, width=width, dash=dash)

    def level(self, y, label):
        self.points([(self.x[0], y), (self.x[1], y)], "#78909c", "4 4", 1)
        self.text(self.left - 6, self.at(0, y)[1] + 5, label, size=12, anchor="end", italic=True)

    def mark(self, x, label, top=None):
        self.points([(x, self.y[0]), (x, self.y[1] if top is None else top)], "#78909c", "4 4", 1)
        self.text(self.at(x, 0)[0], self.low + 20, label, size=12, italic=True)

    def note(self, x, y, text, color=RED, offset=(6, -6)):
        u, v = self.at(x, y)
        self.text(u + offset[0], v + offset[1], text, color, 12, "start")


class Scheme(Picture):
    """Symbols of machine elements and signals in the plane."""

    def __init__(self, width=360, height=150):
        super().__init__(width, height)

    def flange(self, x, y, name, side=-1):
        self.rect(x - 4, y - 4, 8, 8, INK)
        self.text(x + 14 * side, y + 5, name, italic=True, anchor="end" if side < 0 else "start")

    def wire(self, *points):
        self.path(points)

    def spring(self, x1, x2, y, height=12, turns=6):
        lead = 0.15 * (x2 - x1)
        xs = [x1, x1 + lead]
        ys = [y, y]
        step = (x2 - x1 - 2 * lead) / (2 * turns)
        for k in range(2 * turns):
            xs.append(x1 + lead + step * (k + 0.5))
            ys.append(y + (height if k % 2 else -height))
        xs += [x2 - lead, x2]
        ys += [y, y]
        self.path(list(zip(xs, ys)))

    def damper(self, x1, x2, y, height=12):
        m = (x1 + x2) / 2
        self.wire((x1, y), (m - 16, y))
        self.wire((m + 22, y - height), (m - 16, y - height), (m - 16, y + height), (m + 22, y + height))
        self.wire((m + 4, y - height + 3), (m + 4, y + height - 3))
        self.wire((m + 4, y), (x2, y))

    def ground(self, x, y, height=60):
        self.path([(x, y - height / 2), (x, y + height / 2)], width=2.5)
        for k in range(6):
            top = y - height / 2 + 6 + k * (height - 12) / 5
            self.path([(x, top), (x + 8, top + 8)], width=1)

    def block(self, x, y, text, w=76, h=50, fill=PAPER):
        self.rect(x - w / 2, y - h / 2, w, h, fill)
        self.text(x, y + 5, text)

    def signal(self, x1, x2, y, name="", where=0.5):
        self.arrow((x1, y), (x2, y), width=1.5)
        if name:
            self.text(x1 + (x2 - x1) * where, y - 8, name, italic=True)
