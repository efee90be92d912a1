// What is drawn about bodies: coordinate frames, outline and trail of the followed body.
import {
  BufferAttribute, BufferGeometry, Group, InstancedMesh, Line, LineBasicMaterial, LineSegments, BoxGeometry, EdgesGeometry,
  Matrix4, MeshStandardMaterial, Vector3,
} from "three";
import { STRIDE } from "./motion.js";

const ACCENT = 0xd9480f;

/** Coordinate frames of the world and all bodies, drawn over everything else. */
export class Frames {
  constructor(geometry, actors, extent) {
    this.actors = actors;
    const size = extent.focus.getSize(new Vector3()).length();
    this.world = new Matrix4().makeScale(0.14 * size, 0.14 * size, 0.14 * size);
    this.scales = actors.boxes.map((box) => {
      const own = 0.6 * box.getSize(new Vector3()).length();
      return new Matrix4().makeScale(...Array(3).fill(Math.min(0.12 * size, Math.max(0.025 * size, own))));
    });
    const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.6, transparent: true });
    this.object = new InstancedMesh(geometry, material, actors.boxes.length + 1);
    this.object.frustumCulled = false;
    this.object.renderOrder = 10;
    this.object.onBeforeRender = (renderer) => renderer.clearDepth();
  }

  update() {
    const product = new Matrix4();
    this.actors.matrices.forEach((matrix, index) => {
      const shown = this.actors.shown[index] ? product.multiplyMatrices(matrix, this.scales[index]) : product.makeScale(0, 0, 0);
      this.object.setMatrixAt(index + 1, shown);
    });
    this.object.setMatrixAt(0, this.world);
    this.object.instanceMatrix.needsUpdate = true;
  }
}

/** Box around the followed body. */
export class Outline {
  constructor(actors) {
    this.actors = actors;
    this.body = -1;
    const edges = new EdgesGeometry(new BoxGeometry(1, 1, 1));
    this.object = new LineSegments(edges, new LineBasicMaterial({ color: ACCENT }));
    this.object.matrixAutoUpdate = false;
    this.object.frustumCulled = false;
  }

  update() {
    this.object.visible = this.body >= 0 && Boolean(this.actors.shown[this.body]);
    if (!this.object.visible) return;
    const box = this.actors.boxes[this.body];
    const size = box.getSize(new Vector3()).multiplyScalar(1.06);
    const local = new Matrix4().makeScale(size.x, size.y, size.z).setPosition(box.getCenter(new Vector3()));
    this.object.matrix.multiplyMatrices(this.actors.matrices[this.body], local);
  }
}

const PATH_COLORS = [ACCENT, 0x0969a8, 0x2c8a3c, 0x7a4fb5, 0xb8860b, 0x0e7c86];

/** Paths of the origins of bodies over the whole recording: of the followed one, and of those that keep theirs. */
export class Trails {
  constructor(motion) {
    this.motion = motion;
    this.object = new Group();
    this.kept = new Set();
    this.followed = -1;
  }

  follow(body) {
    this.followed = body;
    this.#draw();
  }

  /** Keeps or drops the path of a body. */
  keep(body, on) {
    if (on) this.kept.add(body);
    else this.kept.delete(body);
    this.#draw();
  }

  /** Takes in what a run that goes on has added. */
  grow() {
    if (this.object.children.length) this.#draw();
  }

  #draw() {
    for (const trail of this.object.children) trail.geometry.dispose();
    this.object.clear();
    const bodies = [...new Set([...this.kept, ...(this.followed >= 0 ? [this.followed] : [])])];
    bodies.forEach((body, i) => {
      const trail = new Trail(this.motion, PATH_COLORS[i % PATH_COLORS.length]);
      trail.show(body);
      this.object.add(trail.object);
    });
  }
}

class Trail {
  constructor(motion, color) {
    this.motion = motion;
    this.object = new Line(new BufferGeometry(), new LineBasicMaterial({ color, transparent: true, opacity: 0.8 }));
    this.object.frustumCulled = false;
  }

  show(body) {
    const { poses, exists } = this.motion.bodies[body] ?? { poses: [] };
    const points = [];
    for (let i = 0; i * STRIDE < poses.length; i++) {
      if (!exists || exists[i]) points.push(...poses.slice(i * STRIDE, i * STRIDE + 3));
    }
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    this.object.geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  }
}
