// Ties everything together: what the page shows now and what the user can do.
import { Raycaster, Vector2 } from "three";
import { Actors } from "./actors.js";
import { Bar } from "./bar.js";
import { Clock } from "./clock.js";
import { extentOf } from "./extent.js";
import { Details } from "./details.js";
import { Exporter } from "./export.js";
import { Eye, VIEWS } from "./eye.js";
import { drawGizmo } from "./gizmo.js";
import { BodyList } from "./list.js";
import { Labels, short } from "./labels.js";
import { Live } from "./live.js";
import { Frames, Outline, Trails } from "./marks.js";
import { frameAt, Motion } from "./motion.js";
import { Plot } from "./plot.js";
import { Stage } from "./stage.js";
import { Symbols } from "./symbols.js";

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
    this.details = new Details(animation.times, animation.details);
    this.options = {
      frames: false, grid: true, wireframe: false, contacts: false, shadows: true, trail: true, loop: true, springs: true,
      joints: false, forces: true, cuts: false, labels: false, plot: false, orthographic: false,
    };
    this.followed = -1;
    this.#buildScene();
    this.#buildControls();
    this.live = animation.live ? new Live(this, animation.live) : null;
    this.resize();
    this.eye.reset();
    for (const name of Object.keys(this.options)) this.set(name, this.options[name]);
  }

  #buildScene() {
    const { animation, actors } = this;
    const extent = extentOf(this.motion, actors, animation.up);
    this.stage = new Stage(this.canvas, extent, animation.up);
    this.eye = new Eye(this.canvas, extent, animation.up);
    this.frames = new Frames(actors.geometries[animation.frame], actors, extent);
    this.outline = new Outline(actors);
    this.trails = new Trails(this.motion);
    this.symbols = new Symbols(this.details, extent);
    this.labels = new Labels(byId("labels"), actors, animation.bodies.map((body) => body.name), this.symbols);
    this.exporter = new Exporter(this);
    const marks = [this.frames, this.outline, this.trails, this.symbols].map((mark) => mark.object);
    this.stage.scene.add(...this.eye.cameras, ...actors.objects, ...marks);
    this.extent = extent;
    this.hint();
  }

  hint() {
    const { lengths, scale } = this.symbols;
    const force = lengths.force > 0 ? `, an arrow as long as a cell ${short(this.stage.ground.cell / (lengths.force * scale))} N` : "";
    const count = this.animation.bodies.length;
    const bodies = `${count} ${count === 1 ? "body" : "bodies"}`;
    byId("hint").textContent = `${bodies}, grid ${this.#cellText()}${force}`;
  }

  #cellText() {
    return `${Number(this.stage.ground.cell.toPrecision(3))} m`;
  }

  #buildControls() {
    byId("title").textContent = this.animation.title;
    this.bar = new Bar(this.clock, {
      toggle: () => this.toggle(),
      seek: (time, keepsPlaying) => this.seek(time, keepsPlaying),
      changed: () => this.changed(),
    });
    this.list = new BodyList(byId("bodies"), this.animation.bodies, {
      follow: (index) => this.follow(index === this.followed ? -1 : index),
      hide: (indices, hidden) => this.hide(indices, hidden),
      trail: (index, on) => {
        this.trails.keep(index, on);
        this.changed();
      },
    });
    this.plot = new Plot(byId("plot"), this.animation, this.clock, (time) => this.seek(time));
    for (const button of document.querySelectorAll("[data-toggle]")) {
      button.onclick = () => this.switch(button.dataset.toggle);
    }
    for (const layer of ["springs", "joints", "forces", "cuts"]) {
      document.querySelector(`[data-toggle="${layer}"]`).disabled = !this.animation.live && !this.symbols.has(layer);
    }
    this.#buildChapters();
    this.#buildView();
    this.#buildExport();
    byId("reset").onclick = () => this.resetView();
    byId("help").onclick = () => byId("keys").showModal();
    this.canvas.ondblclick = (event) => this.#pick(event);
    window.addEventListener("resize", () => this.resize());
  }

  /** Parts that are played by themselves. */
  #buildChapters() {
    const { chapters } = this.animation;
    const choice = byId("chapter");
    if (!chapters?.length) return;
    choice.append(...chapters.map(({ name }, index) => new Option(`${index + 1}: ${name}`, index)));
    choice.hidden = false;
    choice.onchange = () => this.open(Number(choice.value));
    this.open(0);
  }

  /** Plays a part. */
  open(chapter) {
    const { start, end } = this.animation.chapters[chapter];
    byId("chapter").value = chapter;
    Object.assign(this.clock, { start, end, time: start });
    this.changed();
  }

  #buildView() {
    const from = byId("view-from");
    for (const view of Object.keys(VIEWS)) from.append(new Option(view, view));
    from.onchange = () => this.lookFrom(from.value);
    const [axis, place] = [byId("section-axis"), byId("section-place")];
    axis.onchange = place.oninput = () => {
      place.disabled = !axis.value;
      const { min, max } = this.extent.all;
      const at = axis.value && min[axis.value] + Number(place.value) * (max[axis.value] - min[axis.value]);
      this.stage.setSection(axis.value, at);
      this.changed();
    };
    byId("force-scale").oninput = (event) => {
      this.symbols.scale = 10 ** Number(event.target.value);
      this.hint();
      this.changed();
    };
  }

  #buildExport() {
    const complain = (error) => (byId("hint").textContent = String(error.message ?? error));
    const [frames, film] = [byId("save-frames"), byId("save-film")];
    const on = (work) => async () => {
      this.stage.setPaper(true);
      try {
        await work();
      } catch (error) {
        complain(error);
      }
      if (!this.exporter.films) this.stage.setPaper(false);
      this.changed();
    };
    byId("save-png").onclick = on(() => this.exporter.png());
    frames.onclick = on(async () => {
      this.live?.pause();
      await this.exporter.frames((k, n) => (frames.textContent = `${k}/${n}`));
      frames.textContent = "Frames";
    });
    film.onclick = on(() => {
      this.exporter.film(() => {
        film.textContent = "Film";
        this.stage.setPaper(false);
        this.changed();
      });
      film.textContent = this.exporter.films ? "End" : "Film";
    });
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

  seek(time, keepsPlaying = false) {
    this.live?.pause();
    this.clock.seek(time);
    this.clock.playing &&= keepsPlaying;
    this.changed();
  }

  toggle() {
    if (this.live) this.live.toggle();
    else this.clock.toggle();
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
    if (this.live && frame >= times.length) {
      this.live.pause();
      this.live.advance();
      return;
    }
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
      trail: () => (this.trails.object.visible = on),
      springs: () => this.symbols.set("springs", on),
      joints: () => this.symbols.set("joints", on),
      forces: () => this.symbols.set("forces", on),
      cuts: () => this.symbols.set("cuts", on),
      labels: () => (byId("labels").hidden = !on),
      plot: () => {
        this.plot.setVisible(on);
        this.resize();
      },
      orthographic: () => this.eye.setOrthographic(on),
      loop: () => (this.clock.loop = on),
    };
    apply[name]();
    document.querySelector(`[data-toggle="${name}"]`).setAttribute("aria-pressed", String(on));
    this.changed();
  }

  follow(index) {
    this.followed = index;
    this.outline.body = index;
    this.trails.follow(index);
    this.plot.follow(index);
    this.list.setFollowed(index);
    this.eye.follow(index < 0 ? null : (v) => this.actors.center(index, v));
    this.changed();
  }

  hide(indices, hidden) {
    for (const index of indices) this.actors.hidden[index] = hidden ? 1 : 0;
    this.changed();
  }

  resetView() {
    this.lookFrom("free");
  }

  /** Shows the whole motion from a side. */
  lookFrom(view) {
    if (!(view in VIEWS)) return;
    byId("view-from").value = view;
    this.follow(-1);
    this.eye.reset(view);
    this.changed();
  }

  resize() {
    byId("live").style.top = `${byId("head").offsetTop + byId("head").offsetHeight + 8}px`;
    const wide = (id) => (byId(id).offsetWidth ? byId(id).offsetWidth + 24 : 0);
    this.stage.resize(innerWidth, innerHeight);
    const plot = byId("plot").hidden ? 0 : byId("plot").offsetHeight + 10;
    const sides = { left: wide("live"), right: wide("panel"), bottom: byId("bar").offsetHeight + 24 + plot };
    this.eye.resize(innerWidth, innerHeight, sides);
    this.plot.resize();
    this.changed();
  }

  /** One picture; draws only when something changed. */
  tick(now) {
    // A picture may bear a time before that of the call that has drawn the first one.
    const elapsed = Math.min(LONGEST_STEP, Math.max(0, (now - (this.before ?? now)) / 1000));
    this.before = now;
    this.clock.advance(elapsed);
    if (this.clock.playing || this.stale) this.#place();
    if (this.eye.update() || this.clock.playing || this.stale) this.#draw();
    this.stale = false;
    this.exporter.tick();
  }

  /** Paints the picture of the present time at once. */
  paint() {
    this.#place();
    this.eye.update();
    this.#draw();
  }

  #place() {
    this.motion.sample(this.clock.time);
    this.details.sample(this.clock.time);
    this.actors.update();
    this.symbols.update();
    this.frames.update();
    this.outline.update();
    this.list.setPresent(this.motion.present);
    this.live?.pull.update();
  }

  #draw() {
    this.stage.render(this.eye.camera);
    this.labels.update(this.eye.camera, innerWidth, innerHeight);
    this.plot.update();
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
