// Bodies that fall out of the picture. Independent of the 3D library.

/** How much deeper than the size of everything else a body falls that does not belong to the picture. */
const DEEP = 2;

/** How far a body falls that goes on falling at the end, from its heights over time; else 0. */
export function drop(heights) {
  const [first, last] = [heights[0], heights[heights.length - 1]];
  const deep = first - last;
  if (!(deep > 0) || heights.some((height) => height < last)) return 0;
  const step = heights[heights.length - 2] - last;
  // At the end it is at least half as fast as on average.
  return step >= deep / (2 * (heights.length - 1)) ? deep : 0;
}

/**
 * Which bodies fall out of the picture, by what each drops; `size` is that of everything at its start, `stands` whether
 * something of it stands still.
 */
export function fallsOut(drops, size, stands) {
  const order = drops.map((_, index) => index).sort((a, b) => drops[a] - drops[b]);
  const out = drops.map(() => false);
  let reach = size;
  order.forEach((index, place) => {
    // What is alone is what is looked at, wherever it goes.
    if ((stands || place > 0) && drops[index] > DEEP * reach) out[index] = true;
    else reach = Math.max(reach, drops[index]);
  });
  return out;
}
