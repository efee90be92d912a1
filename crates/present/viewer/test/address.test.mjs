import assert from "node:assert/strict";
import { test } from "node:test";
import { applyAddress } from "../src/address.js";

/** A player that remembers what it is told; a view ends following, as that of the page does. */
function player() {
  return {
    options: { plot: false },
    animation: { bodies: [{ name: "rod" }, { name: "bob" }] },
    followed: -1,
    set(name, value) { this.options[name] = value; },
    tick() {},
    follow(index) { this.followed = index; },
    lookFrom(view) { this.view = view; this.followed = -1; },
    seek(time) { this.time = time; },
    toggle() { this.plays = true; },
  };
}

test("an address may follow a body from a side", () => {
  const told = player();
  applyAddress(told, "#t=1.5&follow=bob&view=front&plot=1");
  assert.deepEqual([told.followed, told.view, told.time, told.options.plot], [1, "front", 1.5, true]);
});

test("without a time the page plays", () => {
  const told = player();
  applyAddress(told, "#view=top");
  assert.deepEqual([told.plays, told.followed], [true, -1]);
});
