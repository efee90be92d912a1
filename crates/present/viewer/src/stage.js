// Renderer, lights and ground.
import { Color, DirectionalLight, HemisphereLight, PCFShadowMap, Plane, Scene, Vector3, WebGLRenderer } from "three";
import { Ground } from "./ground.js";

/** Direction towards the viewer's right front, raised by `height`, in the world whose up axis is given. */
export function direction(right, front, height, up) {
  const v = up === "y" ? new Vector3(right, height, front) : new Vector3(right, -front, height);
  return v.normalize();
}

function sun(focus, up) {
  const center = focus.getCenter(new Vector3());
  const reach = 0.6 * focus.getSize(new Vector3()).length();
  const light = new DirectionalLight(0xfff4e5, 2.3);
  light.position.copy(center).addScaledVector(direction(-0.55, 0.7, 1.25, up), 4 * reach);
  light.target.position.copy(center);
  light.castShadow = true;
  light.shadow.mapSize.set(2048, 2048);
  light.shadow.radius = 3;
  light.shadow.bias = -0.0004;
  light.shadow.normalBias = 0.004 * reach;
  Object.assign(light.shadow.camera, {
    left: -1.5 * reach, right: 1.5 * reach, bottom: -1.5 * reach, top: 1.5 * reach, near: 0.5 * reach, far: 9 * reach,
  });
  return light;
}

export class Stage {
  constructor(canvas, extent, up) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.ground = new Ground(extent.focus, up, extent.level);
    this.sun = sun(extent.focus, up);
    const fill = new DirectionalLight(0xdfeaff, 0.55);
    fill.position.copy(direction(0.9, 0.25, 0.35, up));
    const sky = new HemisphereLight(0xffffff, 0xb5b0a6, 1.55);
    sky.position.copy(direction(0, 0, 1, up));
    this.scene.add(this.ground.object, this.sun, this.sun.target, fill, sky);
  }

  setShadows(on) {
    this.sun.castShadow = on;
    this.ground.shade.visible = on;
  }

  setGrid(on) {
    this.ground.grid.visible = on;
  }

  /** Cuts away what lies beyond a place along an axis of the world; no axis cuts nothing. */
  setSection(axis, place) {
    const normal = { x: [-1, 0, 0], y: [0, -1, 0], z: [0, 0, -1] }[axis];
    this.renderer.clippingPlanes = normal ? [new Plane(new Vector3(...normal), place)] : [];
  }

  /** Paints the background, which otherwise is that of the page, into pictures that are saved. */
  setPaper(on) {
    this.scene.background = on ? new Color(0xeef1f5) : null;
  }

  resize(width, height) {
    this.renderer.setSize(width, height, false);
  }

  render(camera) {
    this.renderer.render(this.scene, camera);
  }
}
