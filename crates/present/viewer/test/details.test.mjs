import assert from "node:assert/strict";
import { test } from "node:test";
import { columns, grouped, places } from "../src/curves.js";
import { Details, typical } from "../src/details.js";

const floats = (numbers) => new Float32Array(numbers);

function details() {
  const spans = floats([0, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 0, NaN, NaN, NaN, NaN, NaN, NaN]);
  const tracks = [
    { name: "spring", kind: "spring", spans, pulls: floats([1, 3, 0]) },
    { name: "load", kind: "force", spans: floats([0, 0, 0, 0, 4, 0]), pulls: floats([]) },
  ];
  const face = [0, 0, 0, 0, 0, 0, 1, 0, 0, 8, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0];
  const point = [1, 5, 5, 5, 0, 0, 1, 0, 6, 0, 0.1, 0];
  const contacts = floats([...face, ...face, ...point]);
  return new Details(new Float64Array([0, 1, 2]), { tracks, pairs: ["a, b", "a, c"], counts: new Uint32Array([0, 1, 2]), contacts });
}

test("tracks move between frames and stay where they were last before they vanish", () => {
  const all = details();
  all.sample(0.5);
  assert.deepEqual(Array.from(all.spans[0]), [0, 0, 0, 2, 0, 0]);
  assert.equal(all.pulls[0], 2);
  all.sample(1.5);
  assert.deepEqual(Array.from(all.spans[0]), [0, 0, 0, 3, 0, 0]);
  assert.equal(all.present[0], 1);
  all.sample(2);
  assert.deepEqual(Array.from(all.present), [0, 1]);
});

test("contacts are those of the frame before", () => {
  const all = details();
  all.sample(0.9);
  assert.equal(all.contacts.length, 0);
  all.sample(1.9);
  assert.deepEqual(all.contacts.map((contact) => contact.rim.length), [3]);
  all.sample(2);
  assert.equal(all.contacts.length, 2);
  const point = all.contacts[1];
  assert.deepEqual([point.pair, point.at, point.force, point.rim], [1, [5, 5, 5], [0, 6, 0], []]);
});

test("arrows are scaled by the middle of all forces that are not zero", () => {
  assert.equal(typical([0, 5, 1, 0, 9]), 5);
  assert.equal(typical([]), 0);
  // 4 N of the load, 8, 8 and 6 N of the contacts.
  assert.equal(details().typical().force, 8);
});

test("curves with indices are one group, and the earlier of two equal times is left out", () => {
  const curve = (name, values) => ({ name, unit: "m", values: floats(values) });
  const groups = grouped([curve("b.r[1]", [1, 2, 3]), curve("b.r[2]", [4, 5, 6]), curve("e", [7, NaN, 9])]);
  assert.deepEqual(groups.map((group) => [group.name, group.curves.length]), [["b.r", 2], ["e", 1]]);
  assert.deepEqual(columns([0, 1, 1], groups[0]), [[0, 1], [1, 3], [4, 6]]);
  assert.deepEqual(columns([0, 1, 2], groups[1])[1], [7, null, 9]);
});

test("the place of a body is that of its poses while it exists", () => {
  const body = { name: "b", poses: floats([1, 2, 3, 0, 0, 0, 1, 4, 5, 6, 0, 0, 0, 1]), exists: [1, 0] };
  const { curves } = places(body, 2);
  assert.deepEqual(curves.map(({ values }) => values[0]), [1, 2, 3]);
  assert.ok(Number.isNaN(curves[0].values[1]));
});
