// Pulling bodies with the mouse: a spring from the point that was taken to the pointer.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, Plane, Raycaster, SphereGeometry, Vector2, Vector3 } from "three";

const COLOR = 0xd9480f;
/** Way of the pointer [px] from which it pulls. */
const LEAST = 3;

export class Pull {
  /** `send(command)` tells the run. */
  constructor(player, moving, send) {
    Object.assign(this, { player, moving, send });
    this.strength = 1;
    this.held = null;
    this.#draw();
    // In the capture phase, before the camera takes the drag.
    window.addEventListener("pointerdown", (event) => this.#take(event), true);
    window.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, () => this.release());
  }

  #draw() {
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
    this.line = new Line(geometry, new LineBasicMaterial({ color: COLOR, depthTest: false, transparent: true }));
    const size = 0.006 * this.player.extent.focus.getSize(new Vector3()).length();
    const knob = new SphereGeometry(size, 16, 12);
    const material = new MeshBasicMaterial({ color: COLOR, depthTest: false, transparent: true });
    this.knobs = [new Mesh(knob, material), new Mesh(knob, material)];
    this.object = new Group();
    this.object.add(this.line, ...this.knobs);
    for (const part of this.object.children) Object.assign(part, { renderOrder: 11, frustumCulled: false });
    this.object.visible = false;
  }

  #ray(event) {
    const raycaster = new Raycaster();
    raycaster.setFromCamera(new Vector2((2 * event.clientX) / innerWidth - 1, 1 - (2 * event.clientY) / innerHeight), this.player.eye.camera);
    return raycaster;
  }

  #take(event) {
    const { player } = this;
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!plain || event.target !== player.canvas) return;
    const hit = player.actors.hit(this.#ray(event));
    if (!hit || !this.moving[hit.body]) return;
    event.stopImmediatePropagation();
    const local = hit.point.clone().applyMatrix4(player.actors.matrices[hit.body].clone().invert());
    const plane = new Plane().setFromNormalAndCoplanarPoint(player.eye.camera.getWorldDirection(new Vector3()), hit.point);
    this.held = { body: hit.body, local, plane, target: hit.point.clone(), from: [event.clientX, event.clientY], pulls: false };
  }

  #move(event) {
    const { held } = this;
    if (!held) return;
    if (event.buttons === 0) return this.release();
    held.pulls ||= Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) > LEAST;
    if (!held.pulls || !this.#ray(event).ray.intersectPlane(held.plane, held.target)) return;
    const object = this.player.animation.bodies[held.body].name;
    this.send({ do: "pull", object, point: held.local.toArray(), target: held.target.toArray(), strength: this.strength });
    this.player.changed();
  }

  release() {
    if (this.held?.pulls) this.send({ do: "release" });
    this.held = null;
    this.player.changed();
  }

  update() {
    this.object.visible = Boolean(this.held?.pulls);
    if (!this.object.visible) return;
    const { body, local, target } = this.held;
    const from = local.clone().applyMatrix4(this.player.actors.matrices[body]);
    from.toArray(this.line.geometry.attributes.position.array, 0);
    target.toArray(this.line.geometry.attributes.position.array, 3);
    this.line.geometry.attributes.position.needsUpdate = true;
    this.knobs[0].position.copy(from);
    this.knobs[1].position.copy(target);
  }
}
