// A recording that grows while it is looked at. Independent of the 3D library.
import { contactOffsets, SPAN } from "./details.js";
import { STRIDE } from "./motion.js";

/** Numbers that are kept at most; older pictures are dropped. */
const NUMBERS = 20e6;
const [FEWEST, MOST] = [300, 20000];

/** A typed array that grows at its end. */
export class Growing {
  constructor(start) {
    this.buffer = new start.constructor(Math.max(64, 2 * start.length));
    this.length = 0;
    this.append(start);
  }

  append(values) {
    if (this.length + values.length > this.buffer.length) {
      const larger = new this.buffer.constructor(2 * (this.length + values.length));
      larger.set(this.view);
      this.buffer = larger;
    }
    this.buffer.set(values, this.length);
    this.length += values.length;
  }

  /** Drops the first `count` values. */
  drop(count) {
    this.buffer.copyWithin(0, count, this.length);
    this.length -= count;
  }

  clear() {
    this.length = 0;
  }

  /** What has been written; valid until the next change. */
  get view() {
    return this.buffer.subarray(0, this.length);
  }
}

/** Tracks by name, kind and number among those alike. */
function keysOf(tracks) {
  const seen = new Map();
  return tracks.map(({ name, kind }) => {
    const key = `${kind} ${name}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return `${key} ${seen.get(key)}`;
  });
}

/** Values of every one of `count` pictures, of which one may stand for all. */
function forAll(values, stride, count) {
  if (values.length === stride * count) return values;
  const all = new Float32Array(stride * count);
  for (let i = 0; i < count; i++) all.set(values.subarray(0, stride), i * stride);
  return all;
}

const nothing = (length) => new Float32Array(length).fill(NaN);

/** Adds pictures to the arrays that an animation, its motion and its details show. */
export class History {
  constructor(animation, motion, details, moving) {
    Object.assign(this, { animation, motion, details, moving });
    this.times = new Growing(animation.times);
    this.poses = animation.bodies.map((body) => new Growing(body.poses));
    this.exists = animation.bodies.map((body) => new Growing(body.exists ?? new Uint8Array(animation.times.length).fill(1)));
    this.spans = details.tracks.map((track) => new Growing(forAll(track.spans, SPAN, animation.times.length)));
    this.pulls = details.tracks.map((track) => new Growing(track.pulls));
    this.numbers = new Growing(details.numbers);
    this.offsets = new Growing(details.offsets);
    this.curves = animation.details.curves.map((curve) => new Growing(curve.values));
    this.#show();
  }

  /** Largest number of pictures that are kept. */
  get most() {
    const numbers = STRIDE * this.poses.length + SPAN * this.spans.length + this.curves.length + 1;
    return Math.min(MOST, Math.max(FEWEST, Math.floor(NUMBERS / numbers)));
  }

  clear() {
    const all = [this.times, ...this.exists, ...this.spans, ...this.pulls, ...this.curves, this.numbers, this.offsets];
    for (const growing of all) growing.clear();
    this.poses.forEach((poses, i) => this.moving[i] && poses.clear());
    this.offsets.append([0]);
  }

  append({ times, bodies, details }) {
    const count = times.length;
    this.times.append(times);
    bodies.forEach((body, i) => {
      if (this.moving[i]) this.poses[i].append(body.poses);
      this.exists[i].append(body.exists ?? new Uint8Array(count).fill(1));
    });
    this.#appendTracks(details.tracks, count);
    const base = this.numbers.length;
    this.numbers.append(details.contacts);
    this.offsets.append(contactOffsets(details.counts, details.contacts).slice(1).map((at) => at + base));
    this.details.pairs = details.pairs;
    this.curves.forEach((curve, i) => curve.append(details.curves[i]?.values ?? nothing(count)));
    if (this.times.length > this.most) this.#drop(this.times.length >> 1);
    this.#show();
  }

  #appendTracks(tracks, count) {
    const places = new Map(keysOf(this.details.tracks).map((key, i) => [key, i]));
    const before = this.times.length - count;
    keysOf(tracks).forEach((key, i) => {
      if (places.has(key)) return;
      const pulls = tracks[i].pulls.length ? new Float32Array(before) : new Float32Array(0);
      places.set(key, this.details.addTrack({ ...tracks[i] }));
      this.spans.push(new Growing(nothing(before * SPAN)));
      this.pulls.push(new Growing(pulls));
    });
    const incoming = new Map(keysOf(tracks).map((key, i) => [places.get(key), tracks[i]]));
    this.spans.forEach((spans, i) => {
      const track = incoming.get(i);
      spans.append(track ? forAll(track.spans, SPAN, count) : nothing(count * SPAN));
      if (this.details.tracks[i].pulls.length || track?.pulls.length) this.pulls[i].append(track?.pulls ?? new Float32Array(count));
    });
  }

  #drop(count) {
    const numbers = this.offsets.view[count];
    this.times.drop(count);
    this.poses.forEach((poses, i) => this.moving[i] && poses.drop(count * STRIDE));
    for (const exists of this.exists) exists.drop(count);
    for (const spans of this.spans) spans.drop(count * SPAN);
    for (const pulls of this.pulls) if (pulls.length) pulls.drop(count);
    for (const curve of this.curves) curve.drop(count);
    this.numbers.drop(numbers);
    this.offsets.drop(count);
    this.offsets.view.forEach((at, i, all) => (all[i] = at - numbers));
  }

  /** Gives the present arrays to those who show them. */
  #show() {
    const { animation, motion, details } = this;
    animation.times = motion.times = details.times = this.times.view;
    animation.bodies.forEach((body, i) => {
      body.poses = this.poses[i].view;
      body.exists = this.exists[i].view;
    });
    details.tracks.forEach((track, i) => {
      track.spans = this.spans[i].view;
      track.pulls = this.pulls[i].view;
    });
    details.numbers = this.numbers.view;
    details.offsets = this.offsets.view;
    animation.details.curves.forEach((curve, i) => (curve.values = this.curves[i].view));
  }
}
