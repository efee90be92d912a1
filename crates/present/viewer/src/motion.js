// Poses between recorded frames. Independent of the 3D library.

/** Numbers per pose: position, quaternion x y z w. */
export const STRIDE = 7;

/** Largest i with times[i] <= t (0 when t lies before all). */
export function frameAt(times, t) {
  let low = 0;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

/** Writes the pose between two stored poses into out at position `to`: linear and slerp. */
export function interpolate(poses, a, b, u, out, to) {
  for (let i = 0; i < 3; i++) out[to + i] = poses[a + i] + u * (poses[b + i] - poses[a + i]);
  let dot = 0;
  for (let i = 3; i < STRIDE; i++) dot += poses[a + i] * poses[b + i];
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  const near = sine < 1e-4;
  const wa = near ? 1 - u : Math.sin((1 - u) * angle) / sine;
  const wb = sign * (near ? u : Math.sin(u * angle) / sine);
  for (let i = 3; i < STRIDE; i++) out[to + i] = wa * poses[a + i] + wb * poses[b + i];
}

/** State of all bodies at one time. */
export class Motion {
  constructor(times, bodies) {
    this.times = times;
    this.bodies = bodies;
    this.poses = new Float32Array(bodies.length * STRIDE);
    this.present = new Uint8Array(bodies.length).fill(1);
  }

  get start() {
    return this.times[0];
  }

  get end() {
    return this.times[this.times.length - 1];
  }

  /** Fills poses and present for time t. A body that is about to vanish stays where it was last. */
  sample(t) {
    const frame = frameAt(this.times, t);
    const next = Math.min(frame + 1, this.times.length - 1);
    const span = this.times[next] - this.times[frame];
    const u = span > 0 ? Math.min(1, Math.max(0, (t - this.times[frame]) / span)) : 0;
    this.bodies.forEach((body, index) => {
      this.present[index] = body.exists ? body.exists[frame] : 1;
      const moves = body.poses.length > STRIDE;
      const stays = body.exists && !body.exists[next];
      const a = moves ? frame * STRIDE : 0;
      const b = moves && !stays ? next * STRIDE : a;
      interpolate(body.poses, a, b, u, this.poses, index * STRIDE);
    });
  }
}
