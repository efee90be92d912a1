import assert from "node:assert/strict";
import { test } from "node:test";
import { marks, reading } from "../src/curves.js";

test("marks of an axis are told from each other, however small or large", () => {
  assert.deepEqual(marks([-5e-5, -2.5e-5, 0], 2.5e-5), ["-5e-5", "-2.5e-5", "0"]);
  assert.deepEqual(marks([0, 0.25, 0.5], 0.25), ["0", "0.25", "0.5"]);
  assert.deepEqual(marks([1.00001, 1.00002], 1e-5), ["1.00001", "1.00002"]);
  assert.deepEqual(marks([2e7, 4e7], 2e7), ["2e+7", "4e+7"]);
  assert.deepEqual(marks([-0.1, 1.4e-17, 0.1], 0.1), ["-0.1", "0", "0.1"]);
});

test("values beside curves keep their digits", () => {
  assert.deepEqual([0, 1.23456789, -5.4321e-5, null].map(reading), ["0", "1.23457", "-5.432e-5", "--"]);
});
