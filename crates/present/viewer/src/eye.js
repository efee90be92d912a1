// The camera: framing, orbiting, following.
import { DirectionalLight, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { direction } from "./stage.js";

const MARGIN = 1.12;

function corners(box) {
  const pick = (bit, axis) => (bit ? box.max[axis] : box.min[axis]);
  return Array.from({ length: 8 }, (_, i) => new Vector3(pick(i & 1, "x"), pick(i & 2, "y"), pick(i & 4, "z")));
}

export class Eye {
  constructor(canvas, extent, up) {
    this.extent = extent;
    this.up = up;
    this.size = extent.all.getSize(new Vector3()).length();
    this.camera = new PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.copy(up === "y" ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1));
    // Keeps faces that turn away from the sun readable.
    this.camera.add(new DirectionalLight(0xffffff, 0.6));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.followed = null;
    this.untouched = false;
    this.controls.addEventListener("start", () => (this.untouched = false));
  }

  /** Uses the part of the window that the panels leave free. */
  resize(width, height, panel, bar) {
    this.free = { width: Math.max(1, width - panel), height: Math.max(1, height - bar) };
    this.camera.aspect = width / height;
    this.camera.setViewOffset(width, height, panel / 2, bar / 2, width, height);
    this.window = { width, height };
    if (this.untouched) this.reset();
    else this.camera.updateProjectionMatrix();
  }

  /** Looks at the whole motion from the front right. */
  reset() {
    const toViewer = direction(0.55, 1, 0.46, this.up);
    const center = this.extent.focus.getCenter(new Vector3());
    const distance = this.#distance(toViewer, center);
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(toViewer, distance);
    this.#clip();
    this.controls.update();
    this.untouched = true;
  }

  /** Smallest distance from which all corners of the box lie in the free part of the window. */
  #distance(toViewer, center) {
    const right = new Vector3().crossVectors(this.camera.up, toViewer).normalize();
    const above = new Vector3().crossVectors(toViewer, right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const halfHeight = (half * this.free.height) / this.window.height;
    const halfWidth = (half * this.free.width) / this.window.height;
    const needed = corners(this.extent.focus).map((corner) => {
      const v = corner.sub(center);
      const wide = Math.max(Math.abs(v.dot(right)) / halfWidth, Math.abs(v.dot(above)) / halfHeight);
      return v.dot(toViewer) + MARGIN * wide;
    });
    return Math.max(...needed);
  }

  /** Follows the point that `where` writes into its argument; null stops. */
  follow(where) {
    this.followed = where;
    if (!where) return;
    this.untouched = false;
    this.last = where(new Vector3());
    this.#shift(this.last.clone().sub(this.controls.target));
  }

  #shift(by) {
    this.camera.position.add(by);
    this.controls.target.add(by);
  }

  /** Clipping planes that hold the scene at any distance. */
  #clip() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance * 0.01, this.size * 1e-5);
    this.camera.far = distance * 3 + this.size * 8;
    this.camera.updateProjectionMatrix();
  }

  /** Moves with the followed body; true when the picture changed. */
  update() {
    if (this.followed) {
      const now = this.followed(new Vector3());
      this.#shift(now.clone().sub(this.last));
      this.last = now;
    }
    const changed = this.controls.update();
    if (changed) this.#clip();
    return changed;
  }
}
