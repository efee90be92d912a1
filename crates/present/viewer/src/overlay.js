// Labels painted into a picture, as they lie over it in the page.

/** Radius of the corners of a label, and the distance of its text from its edge [px]. */
const CORNER = 4;
const PADDING = 4;

/**
 * Paints labels.
 * @param {CanvasRenderingContext2D} context of the picture
 * @param {number} scale points of the picture per px of the page
 * @param {{x: number, y: number, width: number, height: number, text: string, font: string, color: string,
 *   background: string}[]} labels upper left corners and sizes in the page [px]
 */
export function paintLabels(context, scale, labels) {
  context.save();
  context.scale(scale, scale);
  context.textBaseline = "middle";
  for (const { x, y, width, height, text, font, color, background } of labels) {
    context.beginPath();
    context.roundRect(x, y, width, height, CORNER);
    context.fillStyle = background;
    context.fill();
    context.font = font;
    context.fillStyle = color;
    context.fillText(text, x + PADDING, y + height / 2);
  }
  context.restore();
}
