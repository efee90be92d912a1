// Springs, dampers, joints, arrows and contact patches as meshes.
import {
  BufferAttribute, BufferGeometry, ConeGeometry, Curve, CylinderGeometry, DoubleSide, Group, InstancedMesh, Matrix4, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, Quaternion, SphereGeometry, TubeGeometry, Vector3,
} from "three";

const TURNS = 8;
/** Length of a usual spring in its radii, for which its wire is round. */
const ASPECT = 7;
const CORNERS = 24;
const Z = new Vector3(0, 0, 1);
/** Longest arrow in sizes of the scene, and the typical one. */
const LONGEST = 0.45;
const TYPICAL = 0.11;
/** What is left of the typical force of a run from one picture to the next, where forces are smaller. */
const SLOWLY = 0.998;

const COLORS = {
  spring: 0x4a5560, damper: 0x7b8794, actuator: 0xb8860b, bushing: 0x7a4fb5, revolute: 0x1f58d6, prismatic: 0x2c8a3c,
  ball: 0x1f58d6, driven: 0xd97a0c, force: 0xc62a2f, torque: 0x9b2fae, cut: 0x0e7c86, contact: 0x18864b, patch: 0xf08c00,
};

/** What is shown for a kind: which switch shows it, its meshes and its colour. */
const LOOKS = {
  spring: { layer: "springs", shapes: ["coil"], color: COLORS.spring },
  damper: { layer: "springs", shapes: ["rod", "tube"], color: COLORS.damper },
  spring_damper: { layer: "springs", shapes: ["coil", "rod", "tube"], color: COLORS.spring },
  actuator: { layer: "springs", shapes: ["rod", "tube"], color: COLORS.actuator },
  bushing: { layer: "springs", shapes: ["rod", "knob"], color: COLORS.bushing },
  revolute: { layer: "joints", shapes: ["pin"], color: COLORS.revolute },
  driven_revolute: { layer: "joints", shapes: ["pin"], color: COLORS.driven },
  prismatic: { layer: "joints", shapes: ["rail"], color: COLORS.prismatic },
  driven_prismatic: { layer: "joints", shapes: ["rail"], color: COLORS.driven },
  ball: { layer: "joints", shapes: ["knob"], color: COLORS.ball },
  force: { layer: "forces", shapes: ["shaft", "head"], color: COLORS.force },
  torque: { layer: "forces", shapes: ["shaft", "head", "head2"], color: COLORS.torque },
  cut_force: { layer: "cuts", shapes: ["shaft", "head"], color: COLORS.cut },
  cut_torque: { layer: "cuts", shapes: ["shaft", "head", "head2"], color: COLORS.torque },
};
const CONTACT = { shapes: ["shaft", "head"], color: COLORS.contact };

class Helix extends Curve {
  getPoint(t, out = new Vector3()) {
    // Straight ends, turns in between.
    const s = Math.min(1, Math.max(0, (t - 0.08) / 0.84));
    const radius = Math.min(1, Math.min(t, 1 - t) / 0.08);
    const angle = 2 * Math.PI * TURNS * s;
    return out.set(radius * Math.cos(angle), radius * Math.sin(angle), ASPECT * t);
  }
}

/** A cylinder from the origin to z = 1. */
const upright = (radius) => new CylinderGeometry(radius, radius, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);

/** Geometries of unit length along z, or unit size. */
const GEOMETRIES = {
  coil: () => new TubeGeometry(new Helix(), 40 * TURNS, 0.11, 8).scale(1, 1, 1 / ASPECT),
  rod: () => upright(1),
  tube: () => upright(1),
  shaft: () => upright(1),
  head: () => new ConeGeometry(1, 1, 24).rotateX(Math.PI / 2).translate(0, 0, -0.5),
  head2: () => new ConeGeometry(1, 1, 24).rotateX(Math.PI / 2).translate(0, 0, -0.5),
  pin: () => upright(1).translate(0, 0, -0.5),
  rail: () => new CylinderGeometry(1, 1, 1, 4).rotateX(Math.PI / 2),
  knob: () => new SphereGeometry(1, 20, 14),
};

/** Instances of one mesh in one colour, as many as there are. */
class Batch {
  constructor(shape, color, over) {
    this.over = over;
    this.geometry = GEOMETRIES[shape]();
    this.material = new MeshStandardMaterial({ color, roughness: 0.55, transparent: over, opacity: over ? 0.92 : 1 });
    this.object = new Group();
    this.#grow(16);
  }

  /** Makes room for `size` instances. */
  #grow(size) {
    const before = this.mesh;
    this.mesh = new InstancedMesh(this.geometry, this.material, size);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = !this.over;
    this.mesh.renderOrder = this.over ? 9 : 0;
    this.mesh.count = before?.count ?? 0;
    if (before) this.mesh.instanceMatrix.array.set(before.instanceMatrix.array);
    before?.dispose();
    this.object.clear();
    this.object.add(this.mesh);
    this.size = size;
  }

  clear() {
    this.mesh.count = 0;
  }

  add(matrix) {
    if (this.mesh.count === this.size) this.#grow(2 * this.size);
    this.mesh.setMatrixAt(this.mesh.count++, matrix);
  }

  finish() {
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.visible = this.mesh.count > 0;
  }
}

/** All polygons on which shapes press on each other, as one mesh; with what is drawn after it, over everything else. */
class Patches {
  constructor() {
    const material = new MeshBasicMaterial({ color: COLORS.patch, transparent: true, opacity: 0.5, side: DoubleSide });
    this.object = new Mesh(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 8;
    this.object.onBeforeRender = (renderer) => renderer.clearDepth();
  }

  update(contacts, least) {
    const corners = [];
    for (const contact of contacts) {
      const rim = contact.rim.length > 2 ? contact.rim : circle(contact, least);
      for (let i = 1; i + 1 < rim.length; i++) corners.push(...rim[0], ...rim[i], ...rim[i + 1]);
    }
    // A triangle without area keeps the mesh in the picture: what comes after it relies on the depth that it clears.
    if (corners.length === 0) corners.push(0, 0, 0, 0, 0, 0, 0, 0, 0);
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    this.object.geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  }
}

/** Corners of a circle about a contact's normal; of points at least a dot. */
function circle({ at, normal, radius }, least) {
  const turn = new Quaternion().setFromUnitVectors(Z, new Vector3(...normal).normalize());
  const size = Math.max(radius, least);
  return Array.from({ length: CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / CORNERS;
    const corner = new Vector3(size * Math.cos(angle), size * Math.sin(angle), 0).applyQuaternion(turn);
    return corner.add(new Vector3(...at)).toArray();
  });
}

export class Symbols {
  constructor(details, extent) {
    this.details = details;
    this.size = extent.focus.getSize(new Vector3()).length();
    this.unit = 0.012 * this.size;
    this.layers = { springs: true, joints: false, forces: true, cuts: false };
    this.scale = 1;
    this.typical = details.typical();
    this.batches = new Map();
    this.patches = new Patches();
    this.object = new Group();
    this.object.add(this.patches.object);
    /** Points of arrows and links with their values, for labels. */
    this.labels = [];
  }

  /** Metres of an arrow per N and per N m. */
  get lengths() {
    const length = (typical) => (typical > 0 ? (TYPICAL * this.size) / typical : 0);
    return { force: length(this.typical.force), torque: length(this.typical.torque) };
  }

  /** Lets arrows follow the forces of a run that goes on: up at once, down slowly. */
  adapt() {
    const latest = this.details.latest();
    for (const kind of ["force", "torque"]) this.typical[kind] = Math.max(latest[kind], SLOWLY * this.typical[kind]);
  }

  #batch(shape, color) {
    const key = `${shape} ${color}`;
    if (!this.batches.has(key)) {
      const batch = new Batch(shape, color, !["coil", "rod", "tube"].includes(shape));
      this.batches.set(key, batch);
      this.object.add(batch.object);
    }
    return this.batches.get(key);
  }

  has(layer) {
    const some = this.details.tracks.some(({ kind }) => LOOKS[kind].layer === layer);
    return some || (layer === "forces" && this.details.hasContacts);
  }

  set(layer, on) {
    this.layers[layer] = on;
  }

  #put(shape, color, at, turn, radius, length) {
    const scale = new Vector3(radius, radius, length);
    this.#batch(shape, color).add(new Matrix4().compose(at, turn, scale));
  }

  update() {
    for (const batch of this.batches.values()) batch.clear();
    this.labels.length = 0;
    this.details.tracks.forEach((track, index) => {
      const look = LOOKS[track.kind];
      if (this.details.present[index] && this.layers[look.layer]) this.#track(track, look, index);
    });
    const contacts = this.layers.forces ? this.details.contacts : [];
    for (const contact of contacts) this.#arrow(CONTACT, contact.at, contact.force, "force", this.details.pairs[contact.pair]);
    this.patches.update(contacts, 0.4 * this.unit);
    for (const batch of this.batches.values()) batch.finish();
  }

  #track(track, look, index) {
    const span = this.details.spans[index];
    const a = new Vector3().fromArray(span);
    const b = new Vector3().fromArray(span, 3);
    if (look.layer === "springs") this.#link(look, a, b, track, this.details.pulls[index]);
    else if (look.layer === "joints") this.#joint(look, a, b);
    else this.#arrow(look, a, b, track.kind.endsWith("torque") ? "torque" : "force", track.name);
  }

  #link({ shapes, color }, a, b, track, pull) {
    const along = b.clone().sub(a);
    const length = along.length();
    const turn = new Quaternion().setFromUnitVectors(Z, length > 0 ? along.clone().divideScalar(length) : Z);
    const radius = Math.min(1.3 * this.unit, 0.22 * length);
    for (const shape of shapes) {
      if (shape === "coil") this.#put(shape, color, a, turn, radius, length);
      else if (shape === "knob") this.#put(shape, color, b, turn, 0.9 * this.unit, 0.9 * this.unit);
      else if (shape === "tube") this.#put(shape, color, a, turn, 0.42 * radius, 0.5 * length);
      else this.#put(shape, color, a, turn, 0.18 * radius, length);
    }
    this.labels.push({ at: a.clone().lerp(b, 0.5), name: track.name, value: pull, unit: "N" });
  }

  #joint({ shapes: [shape], color }, at, axis) {
    const turn = new Quaternion().setFromUnitVectors(Z, shape === "knob" ? Z : axis);
    const [radius, length] = { pin: [0.45, 4.5], rail: [0.4, 6], knob: [0.9, 0.9] }[shape];
    this.#put(shape, color, at, turn, radius * this.unit, length * this.unit);
  }

  #arrow({ shapes, color }, at, vector, kind, name) {
    const [from, along] = [at, vector].map((v) => (v.isVector3 ? v : new Vector3(...v)));
    const value = along.length();
    const length = Math.min(value * this.lengths[kind] * this.scale, LONGEST * this.size);
    if (!(length > 0.05 * this.unit)) return;
    const direction = along.clone().divideScalar(value);
    const turn = new Quaternion().setFromUnitVectors(Z, direction);
    const width = Math.min(this.unit, 0.25 * length);
    const head = 2.4 * width;
    const tip = from.clone().addScaledVector(direction, length);
    for (const shape of shapes) {
      if (shape === "shaft") this.#put(shape, color, from, turn, 0.32 * width, length - 0.5 * head);
      else if (shape === "head") this.#put(shape, color, tip, turn, 0.8 * width, head);
      else this.#put(shape, color, tip.clone().addScaledVector(direction, -0.7 * head), turn, 0.8 * width, head);
    }
    this.labels.push({ at: tip, name, value, unit: kind === "torque" ? "N m" : "N" });
  }
}
