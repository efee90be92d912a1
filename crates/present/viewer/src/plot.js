// Curves under the view, with a line at the present time.
import uPlot from "uplot";
import { columns, grouped, marks, places, reading } from "./curves.js";

const COLORS = ["#0969a8", "#c62a2f", "#2c8a3c", "#b8860b", "#7a4fb5", "#0e7c86"];

export class Plot {
  /** `seek(time)` is called when the user clicks into the chart. */
  constructor(root, animation, clock, seek) {
    Object.assign(this, { root, animation, clock, seek });
    this.groups = grouped(animation.details.curves);
    this.body = -1;
    this.choice = root.querySelector("select");
    this.choice.onchange = () => this.#draw();
    this.chart = null;
    this.#fill();
  }

  get #offered() {
    const body = this.animation.bodies[this.body];
    const own = body ? [places(body, this.animation.times.length)] : [];
    const of = (group) => body && group.name.startsWith(`${body.name}.`);
    return [...this.groups.filter(of), ...own, ...this.groups.filter((group) => !of(group))];
  }

  #fill() {
    this.offered = this.#offered;
    const option = (group, index) => new Option(group.unit && group.unit !== "1" ? `${group.name} [${group.unit}]` : group.name, index);
    this.choice.replaceChildren(...this.offered.map(option));
    this.root.querySelector("p").hidden = this.offered.length > 0;
  }

  /** Shows the curves of a body; -1 for none. */
  follow(body) {
    if (body === this.body) return;
    this.body = body;
    this.#fill();
    this.#draw();
  }

  setVisible(on) {
    this.root.hidden = !on;
    if (on) this.#draw();
  }

  #draw() {
    this.chart?.destroy();
    this.chart = null;
    const group = this.offered[Number(this.choice.value)];
    if (!group || this.root.hidden) return;
    const pad = this.root.querySelector(".chart");
    const read = (chart, value) => reading(value);
    const values = (chart, splits, axis, space, step) => marks(splits, step);
    const series = group.curves.map((curve, i) => ({ label: curve.name, stroke: COLORS[i % COLORS.length], width: 1.6, value: read }));
    const unit = group.unit && group.unit !== "1" ? group.unit : "";
    this.chart = new uPlot(
      {
        width: pad.clientWidth,
        height: Math.max(80, pad.clientHeight - 26),
        scales: { x: { time: false } },
        axes: [{ size: 30, values }, { label: unit, labelSize: unit ? 18 : 0, size: 62, space: 22, values }],
        series: [{ label: "t / s", value: read }, ...series],
        cursor: { drag: { x: true, y: false } },
        hooks: { draw: [(chart) => this.#now(chart)], ready: [(chart) => this.#listen(chart)] },
      },
      columns(this.animation.times, group),
      pad,
    );
  }

  #listen(chart) {
    chart.over.addEventListener("click", (event) => this.seek(chart.posToVal(event.offsetX, "x")));
  }

  /** The line at the present time. */
  #now(chart) {
    const x = chart.valToPos(this.clock.time, "x", true);
    const { left, top, width, height } = chart.bbox;
    if (x < left || x > left + width) return;
    chart.ctx.save();
    chart.ctx.strokeStyle = "#d9480f";
    chart.ctx.lineWidth = 1.5 * devicePixelRatio;
    chart.ctx.beginPath();
    chart.ctx.moveTo(x, top);
    chart.ctx.lineTo(x, top + height);
    chart.ctx.stroke();
    chart.ctx.restore();
  }

  /** Takes in what a run that goes on has added. */
  grow() {
    const group = this.chart && this.#offered[Number(this.choice.value)];
    if (group) this.chart.setData(columns(this.animation.times, group));
  }

  update() {
    this.chart?.redraw(false, false);
  }

  resize() {
    if (this.chart) this.#draw();
  }
}
