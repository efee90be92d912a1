// Places of labels that do not cover each other.

/** Ways up and down that are tried, in heights of a label. */
const WAYS = [0, 1, -1, 2, -2, 3, -3, 4, -4];

/**
 * Moves labels up or down, no farther than they must; the first ones stay where they are.
 * @param {{x: number, y: number, width: number, height: number}[]} labels where they should be, upper left corners [px]
 * @returns {(number | null)[]} their `y`; null for labels without room
 */
export function spread(labels) {
  const placed = [];
  return labels.map(({ x, y, width, height }) => {
    const isFree = (top) =>
      placed.every((other) => x >= other.x + other.width || other.x >= x + width || top >= other.y + other.height || other.y >= top + height);
    const way = WAYS.find((way) => isFree(y + way * height));
    if (way === undefined) return null;
    const top = y + way * height;
    placed.push({ x, y: top, width, height });
    return top;
  });
}
