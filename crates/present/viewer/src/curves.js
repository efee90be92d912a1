// Which curves belong together, and their numbers. Independent of the chart library.
import { STRIDE } from "./motion.js";

/** Curves whose names differ in an index at the end only, as groups by their common name. */
export function grouped(curves) {
  const groups = new Map();
  for (const curve of curves) {
    const name = curve.name.replace(/\[\d+\]$/, "");
    if (!groups.has(name)) groups.set(name, { name, unit: curve.unit, curves: [] });
    groups.get(name).curves.push(curve);
  }
  return [...groups.values()];
}

/** Where a body is over time, from its poses. */
export function places(body, count) {
  const moves = body.poses.length > STRIDE;
  const axis = (k, name) => {
    const value = (i) => (body.exists && !body.exists[i] ? NaN : body.poses[(moves ? i * STRIDE : 0) + k]);
    return { name: `${body.name} ${name}`, values: Float32Array.from({ length: count }, (_, i) => value(i)) };
  };
  return { name: `place of ${body.name}`, unit: "m", curves: [axis(0, "x"), axis(1, "y"), axis(2, "z")] };
}

/** Whether a value of this size is read best without an exponent. */
const isPlain = (size) => size >= 1e-3 && size < 1e6;

/** Texts of marks of an axis that are `step` apart. */
export function marks(values, step) {
  const digits = Math.min(12, Math.max(0, 2 - Math.floor(Math.log10(step))));
  const plain = isPlain(Math.max(...values.map(Math.abs)));
  const text = (value) => (plain ? String(Number(value.toFixed(digits))) : Number(value.toPrecision(6)).toExponential());
  return values.map((value) => (Math.abs(value) < 1e-6 * step ? "0" : text(value)));
}

/** Text of a value beside the name of its curve. */
export function reading(value) {
  if (value === null || value === undefined) return "--";
  return value === 0 || isPlain(Math.abs(value)) ? String(Number(value.toPrecision(6))) : value.toExponential(3);
}

/** Values of a group at all times but the earlier of two equal ones, as the chart wants them. */
export function columns(times, group) {
  const kept = [...times.keys()].filter((i) => times[i + 1] !== times[i]);
  const column = (values) => kept.map((i) => (Number.isFinite(values[i]) ? values[i] : null));
  return [kept.map((i) => times[i]), ...group.curves.map(({ values }) => column(values))];
}
