import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../src/clock.js";
import { frameAt, interpolate, Motion } from "../src/motion.js";

const HALF = Math.SQRT1_2;

test("the last of equal times counts", () => {
  assert.equal(frameAt([0, 1, 1, 2], 1), 2);
  assert.equal(frameAt([0, 1, 1, 2], 0.99), 0);
  assert.equal(frameAt([0, 1, 1, 2], 5), 3);
  assert.equal(frameAt([0, 1, 1, 2], -5), 0);
});

test("half of a quarter turn is an eighth of a turn", () => {
  const out = [];
  interpolate([0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, HALF, HALF], 0, 7, 0.5, out, 0);
  assert.equal(out[0], 1);
  assert.ok(Math.abs(out[5] - Math.sin(Math.PI / 8)) < 1e-12);
  assert.ok(Math.abs(out[6] - Math.cos(Math.PI / 8)) < 1e-12);
});

test("quaternions on opposite sides take the short way", () => {
  const out = [];
  interpolate([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -HALF, -HALF], 0, 7, 0.5, out, 0);
  assert.ok(Math.abs(out[6]) > 0.9);
});

test("a body that vanishes waits at its last place", () => {
  const body = { poses: [0, 0, 0, 0, 0, 0, 1, 9, 9, 9, 0, 0, 0, 1], exists: [1, 0] };
  const motion = new Motion([0, 1], [body]);
  motion.sample(0.5);
  assert.equal(motion.poses[0], 0);
  assert.equal(motion.present[0], 1);
  motion.sample(1);
  assert.equal(motion.present[0], 0);
});

test("time does not run back, whatever a picture says", () => {
  const clock = new Clock(0, 2);
  clock.toggle();
  clock.advance(-0.03);
  assert.equal(clock.time, 0);
});

test("playback loops, or stops at the end", () => {
  const clock = new Clock(0, 2);
  clock.toggle();
  clock.advance(2.5);
  assert.ok(Math.abs(clock.time - 0.5) < 1e-12);
  clock.loop = false;
  clock.advance(5);
  assert.equal(clock.time, 2);
  assert.equal(clock.playing, false);
});
