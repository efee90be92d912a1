// Springs, joints, arrows and contacts between recorded frames. Independent of the 3D library.
import { frameAt } from "./motion.js";

/** Numbers per span: two points, or point and vector. */
export const SPAN = 6;
/** Numbers of a contact before its rim: pair, point, normal, force, radius, number of corners. */
const HEAD = 12;

/** Writes the span at a time into `out`; false while it is not there. */
export function spanAt(track, frame, next, u, out) {
  const moves = track.spans.length > SPAN;
  const a = moves ? frame * SPAN : 0;
  const b = moves ? next * SPAN : 0;
  if (Number.isNaN(track.spans[a])) return false;
  const goes = !Number.isNaN(track.spans[b]);
  for (let i = 0; i < SPAN; i++) {
    const from = track.spans[a + i];
    out[i] = goes ? from + u * (track.spans[b + i] - from) : from;
  }
  return true;
}

/** Where the numbers of the contacts of every frame begin, and the end of the last. */
export function contactOffsets(counts, contacts) {
  const offsets = new Uint32Array(counts.length + 1);
  let at = 0;
  counts.forEach((count, frame) => {
    offsets[frame] = at;
    for (let i = 0; i < count; i++) at += HEAD + 3 * contacts[at + HEAD - 1];
  });
  offsets[counts.length] = at;
  return offsets;
}

function readContact(numbers, at) {
  const three = (from) => Array.from(numbers.subarray(at + from, at + from + 3));
  const corners = numbers[at + HEAD - 1];
  const rim = Array.from({ length: corners }, (_, i) => three(HEAD + 3 * i));
  return { pair: numbers[at], at: three(1), normal: three(4), force: three(7), radius: numbers[at + 10], rim };
}

const norm = (v) => Math.hypot(...v);

/** Middle of the magnitudes that are not zero, or 0. */
export function typical(magnitudes) {
  const some = magnitudes.filter((value) => value > 0).sort((a, b) => a - b);
  return some.length ? some[some.length >> 1] : 0;
}

/** What is drawn about the bodies at one time. */
export class Details {
  constructor(times, { tracks, pairs, counts, contacts }) {
    this.times = times;
    this.tracks = tracks;
    this.pairs = pairs;
    this.numbers = contacts;
    this.offsets = contactOffsets(counts, contacts);
    this.spans = tracks.map(() => new Float32Array(SPAN));
    this.present = tracks.map(() => 0);
    this.pulls = tracks.map(() => 0);
    this.contacts = [];
    this.hasContacts = contacts.length > 0;
  }

  /** Adds a track; returns its place. */
  addTrack(track) {
    this.spans.push(new Float32Array(SPAN));
    this.present.push(0);
    this.pulls.push(0);
    return this.tracks.push(track) - 1;
  }

  /** Magnitudes of the vectors of some kinds of tracks over all times. */
  #magnitudes(kinds) {
    const found = [];
    for (const { kind, spans } of this.tracks) {
      if (!kinds.includes(kind)) continue;
      for (let i = 0; i < spans.length; i += SPAN) found.push(norm(spans.subarray(i + 3, i + SPAN)));
    }
    return found;
  }

  /** Typical force [N] and torque [N m], to choose the lengths of arrows. */
  typical() {
    const forces = this.#magnitudes(["force", "cut_force"]);
    for (let frame = 0; frame + 1 < this.offsets.length; frame++) {
      for (const contact of this.#contactsOf(frame)) forces.push(norm(contact.force));
    }
    return { force: typical(forces), torque: typical(this.#magnitudes(["torque", "cut_torque"])) };
  }

  /** Typical force and torque of the last frame. */
  latest() {
    const of = (kinds) => this.tracks.filter(({ kind }) => kinds.includes(kind)).map(({ spans }) => norm(spans.slice(-3)));
    const pressing = this.#contactsOf(this.offsets.length - 2).map(({ force }) => norm(force));
    return { force: typical([...of(["force", "cut_force"]), ...pressing]), torque: typical(of(["torque", "cut_torque"])) };
  }

  #contactsOf(frame) {
    const found = [];
    for (let at = this.offsets[frame]; at < this.offsets[frame + 1]; ) {
      const contact = readContact(this.numbers, at);
      at += HEAD + 3 * contact.rim.length;
      found.push(contact);
    }
    return found;
  }

  /** Takes everything to time t: what moves is interpolated, contacts are those of the frame before. */
  sample(t) {
    const frame = frameAt(this.times, t);
    const next = Math.min(frame + 1, this.times.length - 1);
    const step = this.times[next] - this.times[frame];
    const u = step > 0 ? Math.min(1, Math.max(0, (t - this.times[frame]) / step)) : 0;
    this.tracks.forEach((track, index) => {
      this.present[index] = spanAt(track, frame, next, u, this.spans[index]) ? 1 : 0;
      const { pulls } = track;
      if (pulls.length) this.pulls[index] = pulls[frame] + u * (pulls[next] - pulls[frame]);
    });
    this.contacts = this.offsets.length > 1 ? this.#contactsOf(frame) : [];
  }
}
