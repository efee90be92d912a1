// Entry point of the page.
import { Vector3 } from "three";
import { applyAddress } from "./address.js";
import { readAnimation } from "./data.js";
import { bindKeys } from "./keys.js";
import { STRIDE } from "./motion.js";
import { Player } from "./player.js";

/** What scripts and tests may use. */
function hook(player) {
  return {
    seek: (time) => {
      player.seek(time);
      player.tick(player.before ?? 0);
    },
    play: () => player.clock.playing || player.toggle(),
    pause: () => player.clock.playing && player.toggle(),
    follow: (name) => player.follow(player.animation.bodies.findIndex((body) => body.name === name)),
    set: (option, on) => player.set(option, on),
    get time() {
      return player.clock.time;
    },
    get names() {
      return player.animation.bodies.map((body) => body.name);
    },
    /** Position and quaternion (x y z w) of a body as shown now. */
    pose: (name) => {
      const at = player.animation.bodies.findIndex((body) => body.name === name) * STRIDE;
      return Array.from(player.motion.poses.slice(at, at + STRIDE));
    },
    /** Springs, joints and arrows that are there now, and contacts. */
    get tracks() {
      const { tracks, present, spans } = player.details;
      return tracks.flatMap((track, i) => (present[i] ? [{ name: track.name, kind: track.kind, span: Array.from(spans[i]) }] : []));
    },
    get contacts() {
      return player.details.contacts.map((contact) => ({ ...contact, pair: player.details.pairs[contact.pair] }));
    },
    /** Where the middle of a body is in the window [px]. */
    place: (name) => {
      const index = player.animation.bodies.findIndex((body) => body.name === name);
      const at = player.actors.center(index, new Vector3()).project(player.eye.camera);
      return [((at.x + 1) / 2) * innerWidth, ((1 - at.y) / 2) * innerHeight];
    },
    /** Of a live run: whether it goes on, the time it has reached, number of pictures, what it says. */
    get live() {
      const { running, time, history } = player.live;
      return { running, time, pictures: history.times.length, note: document.getElementById("live-note").textContent };
    },
    get drawCalls() {
      return player.stage.renderer.info.render.calls;
    },
  };
}

function fail(error) {
  const note = document.createElement("div");
  note.className = "failure";
  note.textContent = `The 3D view cannot start: ${error.message ?? error}. It needs a browser with WebGL 2.`;
  document.body.append(note);
}

try {
  const player = new Player(readAnimation(document.getElementById("animation").textContent));
  bindKeys(player);
  applyAddress(player, location.hash);
  window.addEventListener("hashchange", () => applyAddress(player, location.hash));
  window.mbfmu = hook(player);
  player.tick(performance.now());
  player.run();
  document.documentElement.dataset.ready = "true";
} catch (error) {
  fail(error);
}
