import assert from "node:assert/strict";
import { test } from "node:test";
import { rangeOf } from "../src/controls.js";
import { Details } from "../src/details.js";
import { Growing, History } from "../src/history.js";
import { Motion } from "../src/motion.js";
import { enqueue } from "../src/queue.js";

const pose = (x) => [x, 0, 0, 0, 0, 0, 1];
const contact = (pair, x) => [pair, x, 0, 0, 0, 0, 1, 0, 0, 10 * x, 0, 0];

/** Frames of a moving body, a post, a spring and one contact per frame, at some times. */
function frames(times, tracks = [{ name: "coil", kind: "spring" }]) {
  return {
    times: Float64Array.from(times),
    bodies: [{ poses: Float32Array.from(times.flatMap(pose)), exists: null }, { poses: Float32Array.from(pose(9)), exists: null }],
    details: {
      tracks: tracks.map((track) => ({ ...track, spans: Float32Array.from(times.flatMap((t) => [0, 0, 0, t, 0, 0])), pulls: Float32Array.from(times) })),
      pairs: ["a, b"],
      counts: Uint32Array.from(times.map(() => 1)),
      contacts: Float32Array.from(times.flatMap((t) => contact(0, t))),
      curves: [{ name: "x", unit: "m", values: Float32Array.from(times) }],
    },
  };
}

function begun() {
  const animation = frames([0]);
  const motion = new Motion(animation.times, animation.bodies);
  const details = new Details(animation.times, animation.details);
  return { animation, motion, details, history: new History(animation, motion, details, [true, false]) };
}

test("arrays grow at the end and lose their beginning", () => {
  const growing = new Growing(Float64Array.from([1, 2]));
  for (let i = 3; i < 500; i++) growing.append([i]);
  assert.equal(growing.view.length, 499);
  growing.drop(400);
  assert.deepEqual([growing.view[0], growing.view[98], growing.length], [401, 499, 99]);
});

test("pictures that are added are shown: bodies, springs, contacts, curves", () => {
  const { animation, motion, details, history } = begun();
  history.append(frames([1, 2]));
  motion.sample(1.5);
  assert.deepEqual([motion.poses[0], motion.poses[7], motion.end], [1.5, 9, 2]);
  details.sample(1.5);
  assert.equal(details.spans[0][3], 1.5);
  assert.equal(details.pulls[0], 1.5);
  assert.deepEqual(details.contacts.map(({ at }) => at[0]), [1]);
  assert.deepEqual(Array.from(animation.details.curves[0].values), [0, 1, 2]);
  assert.equal(details.latest().force, 20);
});

test("a track that appears later has not been there before", () => {
  const { details, history } = begun();
  const both = [{ name: "coil", kind: "spring" }, { name: "rope", kind: "spring" }];
  history.append(frames([1], both));
  history.append(frames([2]));
  const seen = (t) => (details.sample(t), [...details.present]);
  assert.deepEqual([seen(0), seen(1), seen(2)], [[1, 0], [1, 1], [1, 0]]);
});

test("what is too old is dropped, and the rest stays as it was", () => {
  const { motion, details, history } = begun();
  Object.defineProperty(history, "most", { value: 10 });
  for (let t = 1; t <= 25; t++) history.append(frames([t]));
  assert.ok(motion.times.length <= 10 && motion.start > 10, `${motion.times}`);
  for (const t of [motion.start, 20, 25]) {
    motion.sample(t);
    details.sample(t);
    assert.deepEqual([motion.poses[0], details.spans[0][3], details.contacts[0].at[0]], [t, t, t]);
  }
});

test("a run that starts over leaves nothing of the one before", () => {
  const { motion, details, history } = begun();
  history.append(frames([1, 2, 3]));
  history.clear();
  history.append(frames([0, 0.5]));
  assert.deepEqual(Array.from(motion.times), [0, 0.5]);
  details.sample(0.5);
  assert.equal(details.contacts[0].at[0], 0.5);
  assert.equal(motion.bodies[1].poses[0], 9);
});

test("of commands that say the same thing again the last counts", () => {
  const queue = [];
  for (const x of [1, 2, 3]) enqueue(queue, { do: "pull", target: [x, 0, 0] });
  enqueue(queue, { do: "set", name: "a", value: 1 });
  enqueue(queue, { do: "set", name: "b", value: 2 });
  enqueue(queue, { do: "set", name: "b", value: 3 });
  enqueue(queue, { do: "release" });
  assert.deepEqual(queue.map((command) => command.target?.[0] ?? command.value ?? command.do), [3, 1, 3, "release"]);
});

test("sliders reach from limit to limit, else about twice the value", () => {
  const range = (control) => rangeOf({ value: 0, takes_effect: "now", ...control });
  assert.deepEqual(range({ min: -3, max: 5, value: 1 }), [-3, 5]);
  assert.deepEqual(range({ value: 100 }), [0, 200]);
  assert.deepEqual(range({}), [-1, 1]);
  assert.deepEqual(range({ nominal: 50 }), [-100, 100]);
  assert.deepEqual(range({ value: -2 }), [-4, 4]);
  assert.deepEqual(range({ min: 0 }), [0, 1]);
});
