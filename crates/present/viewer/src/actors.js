// The bodies as instanced meshes: one draw call per mesh and transparency, matrices updated per frame.
import {
  Box3, BufferAttribute, BufferGeometry, Color, DoubleSide, FrontSide, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion,
  SRGBColorSpace, Vector3,
} from "three";
import { STRIDE } from "./motion.js";

const NOWHERE = new Float32Array(16);

export function geometryOf(mesh) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(mesh.normals, 3));
  if (mesh.colors) geometry.setAttribute("color", new BufferAttribute(mesh.colors, 3));
  geometry.setIndex(new BufferAttribute(mesh.indices, 1));
  geometry.computeBoundingBox();
  return geometry;
}

// Faces of different bodies in one plane would flicker: every instance lies a few steps of the depth buffer nearer than
// the one before, over and over again.
const LAYERED = `#include <project_vertex>
  gl_Position.z -= mod(layer + 7.0 * float(gl_InstanceID), 32.0) * 4e-7 * gl_Position.w;`;

function layered(material, layer) {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.layer = { value: layer };
    shader.vertexShader = `uniform float layer;\n${shader.vertexShader.replace("#include <project_vertex>", LAYERED)}`;
  };
  return material;
}

// Shapes that collide are drawn in front of looks in the same place: of their own body or of one it is attached to.
function materialFor(mesh, alpha, contact, ground) {
  return new MeshStandardMaterial({
    roughness: ground ? 1 : 0.5,
    metalness: ground ? 0 : 0.04,
    vertexColors: Boolean(mesh.colors),
    transparent: alpha < 1,
    opacity: alpha,
    depthWrite: alpha > 0.6,
    side: alpha < 1 ? DoubleSide : FrontSide,
    polygonOffset: contact,
    polygonOffsetFactor: -4,
    polygonOffsetUnits: -4,
  });
}

const matrixOf = (part) =>
  new Matrix4().compose(new Vector3(...part.p), new Quaternion(...part.q), new Vector3(...part.s));

/** All parts of all bodies that share mesh, transparency and purpose. */
class Group {
  constructor(mesh, geometry, alpha, contact, ground, layer) {
    this.layer = layer;
    this.ground = ground;
    this.mesh = mesh;
    this.geometry = geometry;
    this.alpha = alpha;
    this.contact = contact;
    this.members = [];
  }

  add(body, part) {
    const color = this.mesh.colors ? new Color(1, 1, 1) : new Color().setRGB(...part.color.slice(0, 3), SRGBColorSpace);
    this.members.push({ body, local: matrixOf(part), color });
  }

  build() {
    const plain = materialFor(this.mesh, this.alpha, this.contact, this.ground);
    // Whatever lies in the plane of the ground is seen.
    const material = this.ground ? plain : layered(plain, this.layer);
    const object = new InstancedMesh(this.geometry, material, this.members.length);
    this.members.forEach((member, index) => object.setColorAt(index, member.color));
    object.frustumCulled = false;
    object.castShadow = this.alpha > 0.3 && !this.ground;
    object.receiveShadow = this.alpha === 1;
    object.userData.bodies = this.members.map((member) => member.body);
    this.object = object;
    return object;
  }

  update(matrices, shown, replaced) {
    const product = new Matrix4();
    this.members.forEach((member, index) => {
      if (shown[member.body] && this.contact === Boolean(replaced[member.body])) this.object.setMatrixAt(index, product.multiplyMatrices(matrices[member.body], member.local));
      else this.object.instanceMatrix.array.set(NOWHERE, index * 16);
    });
    this.object.instanceMatrix.needsUpdate = true;
    this.object.boundingSphere = null;
  }
}

export class Actors {
  constructor(animation, motion) {
    this.motion = motion;
    this.hidden = new Uint8Array(animation.bodies.length);
    this.shown = new Uint8Array(animation.bodies.length);
    this.colliding = animation.bodies.map((body) => body.parts.some((part) => part.contact));
    this.replaced = new Uint8Array(animation.bodies.length);
    /** Whether a body is nothing but ground. */
    this.ground = animation.bodies.map(({ parts }) => parts.length > 0 && parts.every((part) => part.ground));
    this.bodies = animation.bodies;
    this.matrices = animation.bodies.map(() => new Matrix4());
    this.geometries = animation.meshes.map(geometryOf);
    this.groups = this.#group(animation);
    this.objects = this.groups.map((group) => group.build());
    this.boxes = animation.bodies.map((body) => this.#localBox(body));
  }

  #group(animation) {
    const groups = new Map();
    animation.bodies.forEach((body, index) => {
      for (const part of body.parts) {
        const contact = Boolean(part.contact);
        const ground = Boolean(part.ground);
        const key = `${part.mesh} ${part.color[3]} ${contact} ${ground}`;
        if (!groups.has(key)) {
          groups.set(key, new Group(animation.meshes[part.mesh], this.geometries[part.mesh], part.color[3], contact, ground, groups.size));
        }
        groups.get(key).add(index, part);
      }
    });
    return [...groups.values()];
  }

  #localBox(body) {
    const box = new Box3();
    for (const part of body.parts) {
      box.union(this.geometries[part.mesh].boundingBox.clone().applyMatrix4(matrixOf(part)));
    }
    if (box.isEmpty()) box.set(new Vector3(), new Vector3());
    return box;
  }

  /** Puts every body where the motion has it. */
  update() {
    const position = new Vector3();
    const rotation = new Quaternion();
    const one = new Vector3(1, 1, 1);
    this.matrices.forEach((matrix, index) => {
      position.fromArray(this.motion.poses, index * STRIDE);
      rotation.fromArray(this.motion.poses, index * STRIDE + 3);
      matrix.compose(position, rotation, one);
      this.shown[index] = this.motion.present[index] && !this.hidden[index];
    });
    for (const group of this.groups) group.update(this.matrices, this.shown, this.replaced);
  }

  /** Writes the middle of a body, where it is now, into `out`. */
  center(body, out) {
    return this.boxes[body].getCenter(out).applyMatrix4(this.matrices[body]);
  }

  /** Height of the highest level ground, where it is now; undefined where there is none. */
  groundLevel(up) {
    const levels = [];
    this.bodies.forEach((body, index) => {
      for (const part of body.parts.filter(({ ground }) => ground)) {
        const matrix = this.matrices[index].clone().multiply(matrixOf(part));
        const normal = new Vector3(0, 0, 1).transformDirection(matrix);
        if (normal[up] > 0.99999) levels.push(new Vector3().setFromMatrixPosition(matrix)[up]);
      }
    });
    return levels.length ? Math.max(...levels) : undefined;
  }

  /** Shows the shapes that collide instead of the look of their bodies. */
  setContacts(on) {
    this.replaced.set(this.colliding.map((colliding) => (on && colliding ? 1 : 0)));
  }

  setWireframe(on) {
    for (const object of this.objects) object.material.wireframe = on;
  }

  /** Index of the body hit first by the ray, or -1. */
  pick(raycaster) {
    return this.hit(raycaster)?.body ?? -1;
  }

  /** The body hit first by the ray, and where. */
  hit(raycaster) {
    const hit = raycaster.intersectObjects(this.objects, false)[0];
    return hit && { body: hit.object.userData.bodies[hit.instanceId], point: hit.point };
  }
}
