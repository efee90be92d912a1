// Names of bodies and values of forces as text over the picture.
import { Vector3 } from "three";

/** Most labels at a time: more cannot be read. */
const MOST = 250;

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
  }

  #wanted() {
    const bodies = this.names.map((text, index) => ({ index, text, className: "body" }));
    const shown = bodies.filter(({ index }) => this.actors.shown[index]);
    const placed = shown.map((label) => ({ ...label, at: this.actors.center(label.index, new Vector3()) }));
    const values = this.symbols.labels.map(({ at, value, unit }) => ({ at, text: `${short(value)} ${unit}`, className: "value" }));
    return [...values, ...placed].slice(0, MOST);
  }

  /** Puts all labels where the camera sees their points. */
  update(camera, width, height) {
    const wanted = this.root.hidden ? [] : this.#wanted();
    while (this.nodes.length < wanted.length) this.nodes.push(this.root.appendChild(document.createElement("span")));
    this.nodes.forEach((node, i) => {
      const label = wanted[i];
      const p = label?.at.project(camera);
      node.hidden = !label || Math.abs(p.z) > 1;
      if (node.hidden) return;
      if (node.textContent !== label.text) node.textContent = label.text;
      node.className = label.className;
      node.style.transform = `translate(${(((p.x + 1) / 2) * width).toFixed(1)}px, ${(((1 - p.y) / 2) * height).toFixed(1)}px)`;
    });
  }
}
