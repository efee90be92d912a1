// Small picture of the world axes in the corner.
import { Vector3 } from "three";

const AXES = [
  { name: "x", color: "#c62a2f", v: [1, 0, 0] },
  { name: "y", color: "#2c8a3c", v: [0, 1, 0] },
  { name: "z", color: "#1f58d6", v: [0, 0, 1] },
];
const CENTER = 88;
const LENGTH = 58;

function projected(axis, camera) {
  const v = new Vector3(...axis.v).applyQuaternion(camera.quaternion.clone().invert());
  return { ...axis, x: CENTER + LENGTH * v.x, y: CENTER - LENGTH * v.y, depth: v.z };
}

function arrow(pen, { x, y, depth, color, name }) {
  pen.globalAlpha = depth < -0.2 ? 0.55 : 1;
  pen.strokeStyle = pen.fillStyle = color;
  pen.beginPath();
  pen.moveTo(CENTER, CENTER);
  pen.lineTo(x, y);
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y, 15, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.fillText(name, x, y - 1);
}

/** Draws the axes as the camera sees them, the nearest last. */
export function drawGizmo(canvas, camera) {
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, canvas.width, canvas.height);
  Object.assign(pen, { lineWidth: 5, lineCap: "round", font: "bold 20px sans-serif", textAlign: "center", textBaseline: "middle" });
  AXES.map((axis) => projected(axis, camera)).sort((a, b) => a.depth - b.depth).forEach((axis) => arrow(pen, axis));
}
