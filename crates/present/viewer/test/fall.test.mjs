import assert from "node:assert/strict";
import { test } from "node:test";
import { drop, fallsOut } from "../src/fall.js";

const falling = Array.from({ length: 11 }, (_, i) => 3 - 5 * (i / 10) ** 2);

test("a body drops as far as it has fallen, unless something has stopped it", () => {
  assert.equal(drop(falling), 5);
  assert.equal(drop([...falling, -2, -2]), 0, "it lies");
  assert.equal(drop([...falling, 0]), 0, "it comes back");
  assert.equal(drop([...falling].reverse()), 0, "it rises");
  assert.equal(drop([1]), 0);
  assert.equal(drop([]), 0);
});

test("what falls far below everything else does not belong to the picture", () => {
  assert.deepEqual(fallsOut([0, 40, 0.5], 1), [false, true, false]);
  assert.deepEqual(fallsOut([1.5, 0], 1), [false, false], "not so far");
});

test("what falls beside something that stands leaves it", () => {
  assert.deepEqual(fallsOut([44], 2, true), [true]);
  assert.deepEqual(fallsOut([3], 2, true), [false]);
});

test("bodies that all fall belong to the picture", () => {
  assert.deepEqual(fallsOut([44], 0.2), [false]);
  assert.deepEqual(fallsOut([44, 44.5, 43], 0.2), [false, false, false]);
  assert.deepEqual(fallsOut([], 0), []);
});
