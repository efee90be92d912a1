// Ties everything together: what the page shows now and what the user can do.
import { Raycaster, Vector2 } from "three";
import { Actors } from "./actors.js";
import { Bar } from "./bar.js";
import { Clock } from "./clock.js";
import { extentOf } from "./extent.js";
import { Eye } from "./eye.js";
import { drawGizmo } from "./gizmo.js";
import { BodyList } from "./list.js";
import { Frames, Outline, Trail } from "./marks.js";
import { frameAt, Motion } from "./motion.js";
import { Stage } from "./stage.js";

const byId = (id) => document.getElementById(id);

/** Longest step of playback time per picture [s], so that a sleeping tab does not jump. */
const LONGEST_STEP = 0.25;

export class Player {
  constructor(animation) {
    this.animation = animation;
    this.canvas = byId("view");
    this.motion = new Motion(animation.times, animation.bodies);
    this.clock = new Clock(this.motion.start, this.motion.end);
    this.actors = new Actors(animation, this.motion);
    this.options = { frames: false, grid: true, wireframe: false, contacts: false, shadows: true, trail: true, loop: true };
    this.followed = -1;
    this.#buildScene();
    this.#buildControls();
    this.resize();
    this.eye.reset();
    for (const name of Object.keys(this.options)) this.set(name, this.options[name]);
  }

  #buildScene() {
    const { animation, actors } = this;
    const extent = extentOf(this.motion, actors);
    this.stage = new Stage(this.canvas, extent, animation.up);
    this.eye = new Eye(this.canvas, extent, animation.up);
    this.frames = new Frames(actors.geometries[animation.frame], actors, extent);
    this.outline = new Outline(actors);
    this.trail = new Trail(this.motion);
    this.stage.scene.add(this.eye.camera, ...actors.objects, this.frames.object, this.outline.object, this.trail.object);
    byId("hint").textContent = `${animation.bodies.length} bodies, grid ${this.#cellText()}`;
  }

  #cellText() {
    return `${Number(this.stage.ground.cell.toPrecision(3))} m`;
  }

  #buildControls() {
    byId("title").textContent = this.animation.title;
    this.bar = new Bar(this.clock, () => this.changed());
    this.list = new BodyList(byId("bodies"), this.animation.bodies, {
      follow: (index) => this.follow(index === this.followed ? -1 : index),
      hide: (indices, hidden) => this.hide(indices, hidden),
    });
    for (const button of document.querySelectorAll("[data-toggle]")) {
      button.onclick = () => this.switch(button.dataset.toggle);
    }
    byId("reset").onclick = () => this.resetView();
    byId("help").onclick = () => byId("keys").showModal();
    this.canvas.ondblclick = (event) => this.#pick(event);
    window.addEventListener("resize", () => this.resize());
  }

  #pick(event) {
    const pointer = new Vector2((2 * event.clientX) / innerWidth - 1, 1 - (2 * event.clientY) / innerHeight);
    const raycaster = new Raycaster();
    raycaster.setFromCamera(pointer, this.eye.camera);
    this.follow(this.actors.pick(raycaster));
  }

  /** Marks the picture as out of date. */
  changed() {
    this.stale = true;
  }

  seek(time) {
    this.clock.seek(time);
    this.clock.playing = false;
    this.changed();
  }

  toggle() {
    this.clock.toggle();
    this.changed();
  }

  shiftSpeed(step) {
    this.clock.shift(step);
    this.changed();
  }

  /** Goes `count` recorded frames forward. */
  step(count) {
    const { times } = this.motion;
    const frame = frameAt(times, this.clock.time) + count;
    this.seek(times[Math.min(times.length - 1, Math.max(0, frame))]);
  }

  switch(name) {
    this.set(name, !this.options[name]);
  }

  set(name, on) {
    this.options[name] = on;
    const apply = {
      frames: () => (this.frames.object.visible = on),
      grid: () => this.stage.setGrid(on),
      wireframe: () => this.actors.setWireframe(on),
      contacts: () => this.actors.setContacts(on),
      shadows: () => this.stage.setShadows(on),
      trail: () => (this.trail.object.visible = on && this.followed >= 0),
      loop: () => (this.clock.loop = on),
    };
    apply[name]();
    document.querySelector(`[data-toggle="${name}"]`).setAttribute("aria-pressed", String(on));
    this.changed();
  }

  follow(index) {
    this.followed = index;
    this.outline.body = index;
    this.trail.show(index);
    this.trail.object.visible = this.options.trail && index >= 0;
    this.list.setFollowed(index);
    this.eye.follow(index < 0 ? null : (v) => this.actors.center(index, v));
    this.changed();
  }

  hide(indices, hidden) {
    for (const index of indices) this.actors.hidden[index] = hidden ? 1 : 0;
    this.changed();
  }

  resetView() {
    this.follow(-1);
    this.eye.reset();
    this.changed();
  }

  resize() {
    const panel = byId("panel").offsetWidth ? byId("panel").offsetWidth + 24 : 0;
    this.stage.resize(innerWidth, innerHeight);
    this.eye.resize(innerWidth, innerHeight, panel, byId("bar").offsetHeight + 24);
    this.changed();
  }

  /** One picture; draws only when something changed. */
  tick(now) {
    const elapsed = Math.min(LONGEST_STEP, (now - (this.before ?? now)) / 1000);
    this.before = now;
    this.clock.advance(elapsed);
    if (this.clock.playing || this.stale) this.#place();
    if (this.eye.update() || this.clock.playing || this.stale) this.#draw();
    this.stale = false;
  }

  #place() {
    this.motion.sample(this.clock.time);
    this.actors.update();
    this.frames.update();
    this.outline.update();
    this.list.setPresent(this.motion.present);
  }

  #draw() {
    this.stage.render(this.eye.camera);
    drawGizmo(byId("gizmo"), this.eye.camera);
    this.bar.update();
  }

  run() {
    const loop = (now) => {
      this.tick(now);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }
}
