import assert from "node:assert/strict";
import { test } from "node:test";
import { paintLabels } from "../src/overlay.js";

/** A context that notes what is painted, with the style and the scale of it. */
function noting() {
  const painted = [];
  const states = [];
  return {
    painted,
    size: 1,
    save() { states.push(this.size); },
    restore() { this.size = states.pop(); },
    scale(x) { this.size *= x; },
    beginPath() {},
    roundRect(...box) { this.box = box; },
    fill() { painted.push({ box: this.box.slice(0, 4), style: this.fillStyle, size: this.size }); },
    fillText(text, x, y) { painted.push({ text, x, y, font: this.font, style: this.fillStyle, size: this.size }); },
  };
}

const label = { height: 16, font: "11px sans", color: "red", background: "white" };

test("every label is painted on its own ground, at its place in the picture", () => {
  const context = noting();
  paintLabels(context, 2, [{ ...label, x: 10, y: 20, width: 40, text: "bob" }, { ...label, x: 50, y: 60, width: 30, text: "9 N" }]);
  assert.deepEqual(context.painted, [
    { box: [10, 20, 40, 16], style: "white", size: 2 },
    { text: "bob", x: 14, y: 28, font: "11px sans", style: "red", size: 2 },
    { box: [50, 60, 30, 16], style: "white", size: 2 },
    { text: "9 N", x: 54, y: 68, font: "11px sans", style: "red", size: 2 },
  ]);
});

test("the picture is as it was where there are no labels", () => {
  const context = noting();
  paintLabels(context, 2, []);
  assert.deepEqual([context.painted, context.size], [[], 1]);
});
