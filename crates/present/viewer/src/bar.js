// The playback bar.
import { SPEEDS } from "./clock.js";

const PLAY = '<svg width="14" height="14" viewBox="0 0 14 14" fill="currentColor"><path d="M3 1l9 6-9 6z"/></svg>';
const PAUSE = '<svg width="14" height="14" viewBox="0 0 14 14" fill="currentColor"><path d="M2 1h3.5v12H2zM8.5 1H12v12H8.5z"/></svg>';

const byId = (id) => document.getElementById(id);

/** Digits after the point that show about a thousandth of the duration. */
export function decimalsFor(duration) {
  return duration > 0 ? Math.min(9, Math.max(0, 4 - Math.ceil(Math.log10(duration)))) : 3;
}

export class Bar {
  /** `on.toggle()`, `on.seek(time)` and `on.changed()` are called when the user wants it. */
  constructor(clock, on) {
    this.clock = clock;
    this.scrub = byId("scrub");
    this.scrub.oninput = () => on.seek(Number(this.scrub.value), true);
    byId("play").onclick = () => on.toggle();
    this.#fillSpeeds(on.changed);
  }

  #fillSpeeds(changed) {
    const select = byId("speed");
    for (const speed of SPEEDS) select.append(new Option(`${speed}\u00d7`, speed));
    select.onchange = () => {
      this.clock.speed = Number(select.value);
      changed();
    };
  }

  update() {
    const { time, start, end, playing, speed } = this.clock;
    if (playing !== this.playing) byId("play").innerHTML = playing ? PAUSE : PLAY;
    this.playing = playing;
    Object.assign(this.scrub, { min: start, max: end, disabled: end <= start });
    this.scrub.value = time;
    byId("speed").value = speed;
    const decimals = decimalsFor(end - start);
    const text = (t) => t.toFixed(decimals).replace("-", "\u2212");
    byId("time").textContent = end > start ? `${text(time)} / ${text(end)} s` : `${text(time)} s`;
  }
}
