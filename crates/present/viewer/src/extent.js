// How much space the motion takes, to place camera, light, floor and grid.
import { Box3, Vector3 } from "three";
import { drop, fallsOut } from "./fall.js";
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

/** Boxes of the whole paths and of their beginnings, and heights over time. */
function sampled(motion, actors, up) {
  const none = () => actors.boxes.map(() => new Box3());
  const [boxes, firsts, heights] = [none(), none(), actors.boxes.map(() => [])];
  const count = Math.min(NUM_SAMPLES, motion.times.length);
  for (let i = 0; i < count; i++) {
    const frame = count > 1 ? Math.round((i * (motion.times.length - 1)) / (count - 1)) : 0;
    motion.sample(motion.times[frame]);
    actors.update();
    boxes.forEach((box, b) => {
      if (!motion.present[b]) return;
      const here = actors.boxes[b].clone().applyMatrix4(actors.matrices[b]);
      if (firsts[b].isEmpty()) firsts[b].copy(here);
      box.union(here);
      heights[b].push(here.min[up]);
    });
  }
  return { boxes, firsts, heights };
}

const union = (boxes) => boxes.reduce((all, box) => all.union(box), new Box3());
const size = (box) => (box.isEmpty() ? 0 : box.getSize(new Vector3()).length());

function padded(box) {
  if (box.isEmpty()) box.set(new Vector3(), new Vector3());
  if (size(box) < 1e-9) box.expandByScalar(0.5);
  return box;
}

/** Whether what stands still does not dwarf what moves. */
const isNear = (box, moving) => size(moving) === 0 || size(box) <= 4 * size(moving);

/** Box of what matters: all that moves, and what stands still unless it dwarfs that or is ground without end. */
function focusOf({ boxes, firsts, heights }, movers, ground) {
  const counts = (b) => !ground[b] || ground.every(Boolean);
  const still = (moving) => boxes.filter((box, b) => !movers.includes(b) && counts(b) && isNear(box, moving));
  const paths = (bodies) => union(bodies.map((b) => boxes[b]));
  // What goes farther sideways than down does not fall.
  const drops = movers.map((b) => drop(heights[b])).map((deep, k) => (size(boxes[movers[k]]) < 2 * deep ? deep : 0));
  const steady = movers.filter((_, k) => drops[k] === 0);
  const standing = still(paths(steady.length ? steady : movers));
  const begin = union([...standing, ...movers.map((b) => firsts[b])]);
  const out = fallsOut(drops, size(begin), standing.length > 0);
  // Of what falls out of the picture the beginning matters.
  const moving = union(movers.map((b, k) => (out[k] ? firsts[b] : boxes[b])));
  return union([moving, ...(steady.length ? still(moving) : standing)]);
}

/** Box of what matters, box of everything, and height of level ground. */
export function extentOf(motion, actors, up) {
  const paths = sampled(motion, actors, up);
  const movers = [...paths.boxes.keys()].filter((b) => moves(motion.bodies[b]));
  const focus = padded(focusOf(paths, movers, actors.ground));
  // Where a run goes that has just begun is not known.
  if (motion.bodies.some((body) => body.moving)) focus.expandByScalar(ROOM * size(focus));
  return { focus, all: padded(union(paths.boxes)), level: actors.groundLevel(up) };
}
