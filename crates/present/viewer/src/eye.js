// The camera: framing, orbiting, following.
import { DirectionalLight, OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { direction } from "./stage.js";

const MARGIN = 1.12;
const FIELD = 32;
const HALF_FIELD = Math.tan((FIELD * Math.PI) / 360);

/** Directions towards the viewer: to the right, to the front, up. */
export const VIEWS = {
  free: [0.55, 1, 0.46], front: [0, 1, 0], back: [0, -1, 0], right: [1, 0, 0], left: [-1, 0, 0],
  // A touch of the front keeps the up axis defined.
  top: [0, 1e-4, 1], bottom: [0, 1e-4, -1],
};

function corners(box) {
  const pick = (bit, axis) => (bit ? box.max[axis] : box.min[axis]);
  return Array.from({ length: 8 }, (_, i) => new Vector3(pick(i & 1, "x"), pick(i & 2, "y"), pick(i & 4, "z")));
}

export class Eye {
  constructor(canvas, extent, up) {
    this.extent = extent;
    this.up = up;
    this.size = extent.all.getSize(new Vector3()).length();
    this.cameras = [new PerspectiveCamera(FIELD, 1, 0.01, 100), new OrthographicCamera(-1, 1, 1, -1, 0.01, 100)];
    for (const camera of this.cameras) {
      camera.up.copy(up === "y" ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1));
      // Keeps faces that turn away from the sun readable.
      camera.add(new DirectionalLight(0xffffff, 0.6));
      camera.children[0].visible = camera === this.cameras[0];
    }
    this.camera = this.cameras[0];
    this.view = "free";
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.followed = null;
    this.untouched = false;
    this.controls.addEventListener("start", () => (this.untouched = false));
  }

  /** Uses the part of the window that the panels leave free. */
  resize(width, height, { left, right, bottom }) {
    this.free = { width: Math.max(1, width - left - right), height: Math.max(1, height - bottom) };
    this.window = { width, height };
    this.cameras[0].aspect = width / height;
    for (const camera of this.cameras) camera.setViewOffset(width, height, (right - left) / 2, bottom / 2, width, height);
    this.#fitOrthographic(this.cameras[1].top);
    if (this.untouched) this.reset(this.view);
    else this.camera.updateProjectionMatrix();
  }

  /** Half the height of the orthographic picture [m]. */
  #fitOrthographic(half) {
    const camera = this.cameras[1];
    const wide = (half * this.window.width) / this.window.height;
    Object.assign(camera, { left: -wide, right: wide, bottom: -half, top: half });
    camera.updateProjectionMatrix();
  }

  /** Changes between perspective and orthographic projection; what lies in the middle keeps its size. */
  setOrthographic(on) {
    const before = this.camera;
    this.camera = this.cameras[on ? 1 : 0];
    if (before === this.camera) return;
    const { target } = this.controls;
    this.camera.position.copy(before.position);
    if (on) {
      this.camera.zoom = 1;
      this.#fitOrthographic(HALF_FIELD * before.position.distanceTo(target));
    } else {
      const away = before.position.clone().sub(target).normalize();
      this.camera.position.copy(target).addScaledVector(away, before.top / before.zoom / HALF_FIELD);
    }
    for (const camera of this.cameras) camera.children[0].visible = camera === this.camera;
    this.controls.object = this.camera;
    this.#clip();
    this.controls.update();
  }

  /** Looks at the whole motion from one of the sides, or from the front right. */
  reset(view = "free") {
    this.view = view;
    const toViewer = direction(...VIEWS[view], this.up);
    const center = this.extent.focus.getCenter(new Vector3());
    const distance = this.#distance(toViewer, center);
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(toViewer, distance);
    this.camera.zoom = 1;
    this.#fitOrthographic(HALF_FIELD * distance);
    this.#clip();
    this.controls.update();
    this.untouched = true;
  }

  /** Smallest distance from which all corners of the box lie in the free part of the window. */
  #distance(toViewer, center) {
    const right = new Vector3().crossVectors(this.camera.up, toViewer).normalize();
    const above = new Vector3().crossVectors(toViewer, right);
    const halfHeight = (HALF_FIELD * this.free.height) / this.window.height;
    const halfWidth = (HALF_FIELD * this.free.width) / this.window.height;
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
    this.camera.near = this.camera.isOrthographicCamera ? -8 * this.size : Math.max(distance * 0.01, this.size * 1e-5);
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
