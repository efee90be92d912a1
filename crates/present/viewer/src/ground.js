// Grid and shadow catcher below the scene.
import { Color, DoubleSide, Group, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3 } from "three";

const VERTEX = `
  varying vec2 place;
  void main() {
    place = (modelMatrix * vec4(position, 1.0)).UP.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const FRAGMENT = `
  uniform float cell; uniform float reach; uniform vec2 middle; uniform vec3 color;
  varying vec2 place;
  float lines(float spacing) {
    vec2 x = place / spacing;
    vec2 edge = abs(fract(x - 0.5) - 0.5) / fwidth(x);
    return 1.0 - min(min(edge.x, edge.y), 1.0);
  }
  void main() {
    float fade = 1.0 - smoothstep(0.25, 1.0, distance(place, middle) / reach);
    float strength = max(0.2 * lines(cell), 0.42 * lines(5.0 * cell));
    gl_FragColor = vec4(color, strength * fade);
  }`;

/** The two world coordinates that lie in the ground, by up axis. */
const SWIZZLE = { y: "xz", z: "xy" };

/** 1, 2 or 5 times a power of ten, about a fourteenth of the size. */
export function cellSize(size) {
  const power = 10 ** Math.floor(Math.log10(size / 14));
  return power * [1, 2, 5, 10].find((m) => m * power >= size / 14);
}

function gridMaterial(cell, reach, middle, up) {
  return new ShaderMaterial({
    vertexShader: VERTEX.replace("UP.xy", SWIZZLE[up]),
    fragmentShader: FRAGMENT,
    uniforms: {
      cell: { value: cell }, reach: { value: reach }, middle: { value: middle }, color: { value: new Color(0x45525f) },
    },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -4,
  });
}

export class Ground {
  /** Lies just below `box`, around it; the grid on the model's own ground, if that is at a `level` near the box. */
  constructor(box, up, level) {
    const center = box.getCenter(new Vector3());
    const size = box.getSize(new Vector3()).length();
    this.cell = cellSize(size);
    const plane = new PlaneGeometry(12 * size, 12 * size);
    const middle = { x: center.x, y: up === "y" ? center.z : center.y };
    this.grid = new Mesh(plane, gridMaterial(this.cell, 2.4 * size, middle, up));
    this.grid.renderOrder = -2;
    this.shade = new Mesh(plane, new ShadowMaterial({ opacity: 0.2, depthWrite: false }));
    this.shade.receiveShadow = true;
    this.shade.renderOrder = -1;
    this.object = new Group().add(this.grid, this.shade);
    const normal = up === "y" ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
    this.object.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal));
    this.object.position.copy(center);
    const below = 1e-3 * size;
    const isNear = level > box.min[up] - size && level < box.max[up] + below;
    this.object.position[up] = isNear ? level : box.min[up] - below;
    // Shadows on the model's own ground are seen there.
    if (isNear) this.shade.position.z = -below;
  }
}
