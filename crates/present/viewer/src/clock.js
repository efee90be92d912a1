// Playback time: running, paused, speed, loop.

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Clock {
  constructor(start, end) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    /** Whether time is set from outside as a run goes on. */
    this.driven = false;
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
  }

  toggle() {
    this.playing = !this.playing && this.end > this.start;
    if (this.playing && this.time >= this.end) this.time = this.start;
  }

  /** Advances by `seconds` of wall time. */
  advance(seconds) {
    if (!this.playing || this.driven) return;
    const next = this.time + seconds * this.speed;
    if (next <= this.end) this.time = Math.max(this.start, next);
    else if (this.loop) this.time = this.start + ((next - this.start) % (this.end - this.start));
    else {
      this.time = this.end;
      this.playing = false;
    }
  }

  /** Next faster (+1) or slower (-1) speed. */
  shift(step) {
    const index = SPEEDS.indexOf(this.speed) + step;
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index))];
  }
}
