// Names of bodies and values of forces as text over the picture.
import { Vector3 } from "three";
import { paintLabels } from "./overlay.js";
import { spread } from "./spread.js";

/** Most labels at a time: more cannot be read. */
const MOST = 250;

/** Height of a label, and what it is wider than its text [px]. */
const HEIGHT = 16;
const MARGIN = 8;

/** Three significant digits. */
export function short(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e5 || size < 1e-3) return value.toExponential(1).replace("-", "\u2212");
  return String(Number(value.toPrecision(3))).replace("-", "\u2212");
}

export class Labels {
  constructor(root, actors, names, symbols) {
    Object.assign(this, { root, actors, names, symbols });
    this.nodes = [];
    /** Labels that are seen: their nodes and places. */
    this.placed = [];
    this.widths = new Map();
    this.ruler = document.createElement("canvas").getContext("2d");
  }

  /** Width of a text [px]. */
  #width(text) {
    if (!this.widths.has(text)) {
      if (this.widths.size > 20 * MOST) this.widths.clear();
      this.ruler.font = `11px ${getComputedStyle(this.root).fontFamily}`;
      this.widths.set(text, this.ruler.measureText(text).width);
    }
    return this.widths.get(text);
  }

  #wanted() {
    const bodies = this.names.map((text, index) => ({ index, text, className: "body" }));
    const shown = bodies.filter(({ index }) => this.actors.shown[index]);
    const placed = shown.map((label) => ({ ...label, at: this.actors.center(label.index, new Vector3()) }));
    const values = this.symbols.labels.map(({ at, value, unit }) => ({ at, text: `${short(value)} ${unit}`, className: "value" }));
    return [...values, ...placed].slice(0, MOST);
  }

  /** Puts labels where the camera sees their points, as far as there is room. */
  update(camera, width, height) {
    const wanted = this.root.hidden ? [] : this.#wanted();
    const seen = wanted.flatMap((label) => {
      const p = label.at.project(camera);
      if (Math.abs(p.z) > 1) return [];
      const [x, y] = [((p.x + 1) / 2) * width, ((1 - p.y) / 2) * height];
      return [{ ...label, x, y, width: this.#width(label.text) + MARGIN, height: HEIGHT }];
    });
    const tops = spread(seen);
    while (this.nodes.length < seen.length) this.nodes.push(this.root.appendChild(document.createElement("span")));
    this.placed = [];
    this.nodes.forEach((node, i) => {
      const [label, top] = [seen[i], tops[i] ?? null];
      node.hidden = top === null;
      if (node.hidden) return;
      if (node.textContent !== label.text) node.textContent = label.text;
      node.className = label.className;
      node.style.transform = `translate(${label.x.toFixed(1)}px, ${top.toFixed(1)}px)`;
      this.placed.push({ node, text: label.text, x: label.x, y: top, width: label.width, height: label.height });
    });
  }

  /** Paints the labels into a picture with a number of points per px of the page. */
  paint(context, scale) {
    const styled = this.placed.map(({ node, ...label }) => {
      const { color, backgroundColor: background, fontSize, fontFamily } = getComputedStyle(node);
      return { ...label, font: `${fontSize} ${fontFamily}`, color, background };
    });
    paintLabels(context, scale, styled);
  }
}
