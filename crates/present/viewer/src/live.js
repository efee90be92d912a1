// A run that a server computes while it is looked at: asks for pictures, tells what the user wants.
import { Controls } from "./controls.js";
import { readFrames } from "./data.js";
import { History } from "./history.js";
import { Pull } from "./pull.js";
import { enqueue } from "./queue.js";

const byId = (id) => document.getElementById(id);
const nextPicture = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Longest and shortest piece [s of playing] that is asked for at a time. */
const [LONGEST, SHORTEST] = [1 / 8, 1 / 240];
/** Time between two updates of curves and paths, and of the text [ms]. */
const SELDOM = 200;
/** Time without commands after which the page asks whether the server is still there [ms]. */
const SILENCE = 2000;
const GONE = "The server of this page has ended. `mbfmu view MODEL --live` starts it again: open the address that it prints.";
/** Time after which the page offers to end a command that is not done [ms]. */
const PATIENCE = 1000;

export class Live {
  constructor(player, live) {
    Object.assign(this, { player, live, running: true, ended: false, queue: [], time: player.motion.end });
    this.history = new History(player.animation, player.motion, player.details, live.moving);
    this.pull = new Pull(player, live.moving, (command) => {
      this.send(command);
      if (command.do === "pull") this.run();
    });
    player.stage.scene.add(this.pull.object);
    this.controls = new Controls(byId("controls"), live.controls, (name, value) => this.send({ do: "set", name, value }));
    byId("pull-strength").oninput = (event) => (this.pull.strength = 10 ** Number(event.target.value));
    byId("start-over").onclick = () => this.startOver();
    byId("end-step").onclick = () => this.#cancel();
    byId("live").hidden = false;
    document.body.classList.add("live");
    player.clock.driven = player.clock.playing = true;
    this.pace = { wall: performance.now(), time: this.time, text: "" };
    this.#loop();
  }

  send(command) {
    enqueue(this.queue, command);
  }

  run() {
    if (this.ended) return;
    this.running = true;
    this.player.clock.playing = true;
    this.player.clock.seek(this.player.clock.end);
    this.player.changed();
  }

  pause() {
    this.running = false;
    this.player.clock.playing = false;
    this.player.changed();
  }

  /** Pauses, or goes on from the last picture, whichever is looked at. */
  toggle() {
    if (this.running) this.pause();
    else this.run();
  }

  /** Goes on by one picture. */
  advance() {
    this.send({ do: "advance", by: this.player.clock.speed / 60 });
  }

  startOver() {
    this.queue.length = 0;
    this.send({ do: "reset" });
    this.run();
  }

  async #loop() {
    let before = performance.now();
    let asked = before;
    for (;;) {
      await nextPicture();
      if (this.ended) return;
      const now = performance.now();
      const wanted = Math.min(LONGEST, Math.max(SHORTEST, Math.round((now - before) / 1000 / SHORTEST) * SHORTEST));
      before = now;
      const commands = this.queue.splice(0);
      if (this.running) commands.push({ do: "advance", by: wanted * this.player.clock.speed });
      if (commands.length || now - asked > SILENCE) {
        asked = now;
        await this.#ask(commands);
      }
      this.#tell(now);
    }
  }

  async #ask(commands) {
    const body = JSON.stringify({ page: this.live.page, commands });
    let answer;
    const impatient = setTimeout(() => this.#wait(true), PATIENCE);
    try {
      const response = await fetch(this.live.address, { method: "POST", body, headers: { "Content-Type": "application/json" } });
      if (!response.ok) return this.#end((await response.text()) || GONE);
      answer = await response.json();
    } catch {
      return this.#end(GONE);
    } finally {
      clearTimeout(impatient);
      this.#wait(false);
    }
    // Without commands nothing has happened.
    if (commands.length) this.#take(answer);
  }

  /** Offers to end what takes long. */
  #wait(long) {
    byId("end-step").hidden = !long;
    if (long) byId("pace").textContent = "computing\u2026";
  }

  #cancel() {
    this.#wait(false);
    // That the command has ended is told by its own answer.
    fetch(this.live.cancel, { method: "POST", body: JSON.stringify({ page: this.live.page }) }).catch(() => {});
  }

  #take({ time, fresh, frames, notes, error, kept }) {
    const added = frames && readFrames(frames);
    // A run that starts over may have more bodies, or fewer: they come with a new page.
    if (fresh && added && added.bodies.length !== this.history.poses.length) {
      this.ended = true;
      location.reload();
      return;
    }
    if (fresh) this.history.clear();
    if (added) this.history.append(added);
    this.time = time;
    if (notes.length) this.note(notes.join("\n"));
    if (kept) this.controls.show(kept.name, kept.value);
    if (error) {
      this.note(error, true);
      this.pause();
    } else if (fresh || this.failed) this.note("");
    const { clock, motion } = this.player;
    // An answer may come when the run has been paused already.
    const atEnd = clock.time >= clock.end;
    if (motion.times.length === 0) return;
    Object.assign(clock, { start: motion.start, end: motion.end });
    if (this.running || atEnd || fresh) clock.seek(motion.end);
    this.player.symbols.adapt();
    this.player.changed();
  }

  note(text, failed = false) {
    const note = byId("live-note");
    this.failed = failed;
    note.textContent = text;
    note.classList.toggle("failed", failed);
  }

  #end(text) {
    this.ended = true;
    this.pause();
    this.note(text, true);
  }

  /** Says how fast it runs; curves and paths follow seldom, they are long. */
  #tell(now) {
    if (now - this.pace.wall < SELDOM) return;
    const ratio = (this.time - this.pace.time) / ((now - this.pace.wall) / 1000);
    Object.assign(this.pace, { wall: now, time: this.time });
    byId("pace").textContent = this.running ? `${Math.max(0, ratio).toPrecision(2)} s per s` : "paused";
    if (!this.running) return;
    this.player.hint();
    this.player.plot.grow();
    this.player.trails.grow();
  }
}
