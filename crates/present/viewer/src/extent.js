// How much space the motion takes, to place camera, light, floor and grid.
import { Box3, Vector3 } from "three";
import { STRIDE } from "./motion.js";

const NUM_SAMPLES = 48;
/** Room around the start of a run that goes on, in its size. */
const ROOM = 0.12;

function moves(body) {
  if (body.moving !== undefined) return body.moving;
  for (let i = STRIDE; i < body.poses.length; i++) {
    if (Math.abs(body.poses[i] - body.poses[i % STRIDE]) > 1e-6) return true;
  }
  return false;
}

function sampledBoxes(motion, actors) {
  const boxes = actors.boxes.map(() => new Box3());
  const count = Math.min(NUM_SAMPLES, motion.times.length);
  for (let i = 0; i < count; i++) {
    const frame = count > 1 ? Math.round((i * (motion.times.length - 1)) / (count - 1)) : 0;
    motion.sample(motion.times[frame]);
    actors.update();
    boxes.forEach((box, b) => {
      if (motion.present[b]) box.union(actors.boxes[b].clone().applyMatrix4(actors.matrices[b]));
    });
  }
  return boxes;
}

const union = (boxes) => boxes.reduce((all, box) => all.union(box), new Box3());
const size = (box) => (box.isEmpty() ? 0 : box.getSize(new Vector3()).length());

function padded(box) {
  if (box.isEmpty()) box.set(new Vector3(), new Vector3());
  if (size(box) < 1e-9) box.expandByScalar(0.5);
  return box;
}

/** Box of what matters (all that moves, and what stands still unless it dwarfs that), and box of everything. */
export function extentOf(motion, actors) {
  const boxes = sampledBoxes(motion, actors);
  const moving = union(boxes.filter((_, i) => moves(motion.bodies[i])));
  const limit = 4 * size(moving);
  const nearby = boxes.filter((box, i) => !moves(motion.bodies[i]) && (limit === 0 || size(box) <= limit));
  const focus = padded(union([moving, ...nearby]));
  // Where a run goes that has just begun is not known.
  if (motion.bodies.some((body) => body.moving)) focus.expandByScalar(ROOM * size(focus));
  return { focus, all: padded(union(boxes)) };
}
