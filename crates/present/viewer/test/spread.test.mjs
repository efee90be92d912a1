import assert from "node:assert/strict";
import { test } from "node:test";
import { spread } from "../src/spread.js";

const label = (x, y, width = 40) => ({ x, y, width, height: 16 });

test("labels that do not meet stay", () => {
  assert.deepEqual(spread([label(0, 0), label(40, 0), label(0, 16)]), [0, 0, 16]);
});

test("labels at one place stand above each other, the first one where it was", () => {
  assert.deepEqual(spread([label(0, 100), label(10, 100), label(20, 100), label(200, 100)]), [100, 116, 84, 100]);
});

test("no two labels cover each other, and those without room are left out", () => {
  const labels = Array.from({ length: 60 }, (_, k) => label((k * 7) % 50, (k * 5) % 30));
  const places = spread(labels);
  const shown = labels.map((at, k) => ({ ...at, y: places[k] })).filter(({ y }) => y !== null);
  assert.ok(shown.length >= 9 && shown.length < 60, `${shown.length} labels`);
  for (const [k, a] of shown.entries()) {
    for (const b of shown.slice(k + 1)) {
      assert.ok(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + 16 <= b.y || b.y + 16 <= a.y);
    }
  }
});
