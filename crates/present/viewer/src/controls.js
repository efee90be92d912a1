// Sliders, switches and choices for inputs and parameters.

function element(tag, attributes = {}, ...children) {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...children);
  return node;
}

/** Range of a slider: the limits of the variable, else about twice its value or typical size. */
export function rangeOf({ value, min, max, nominal, takes_effect }) {
  const size = 2 * Math.max(Math.abs(value), Math.abs(nominal ?? 0)) || 1;
  const signed = takes_effect === "now" && value <= 0;
  return [min ?? (signed ? -size : Math.min(0, 2 * value)), max ?? size];
}

/** About three digits more than the range has. */
const rounded = (value, [from, to]) => Number(value.toPrecision(Math.max(3, 3 + Math.ceil(Math.log10(Math.abs(value) / (to - from) || 1)))));

export class Controls {
  /** `set(name, value)` is called when the user changes one. */
  constructor(root, controls, set) {
    this.set = set;
    /** What shows a value, by name. */
    this.shown = new Map();
    const now = controls.filter((control) => control.takes_effect === "now");
    const later = controls.filter((control) => control.takes_effect !== "now");
    root.append(...now.map((control) => this.#row(control)));
    if (later.length) {
      const summary = element("summary", { textContent: `At the start (${later.length})`, title: "Take effect when the run starts over" });
      root.append(element("details", {}, summary, ...later.map((control) => this.#row(control))));
    }
  }

  #row(control) {
    const unit = control.unit && control.unit !== "1" ? ` / ${control.unit}` : "";
    const label = element("label", { textContent: `${control.name}${unit}`, title: control.description || control.name });
    const row = element("div", { className: "control" }, label);
    const set = (value) => this.set(control.name, value);
    row.append(...{ real: () => this.#number(control, set), integer: () => this.#number(control, set, 1), boolean: () => this.#switch(control, set), text: () => this.#choice(control, set) }[control.kind]());
    label.htmlFor = row.lastChild.id = `control-${this.shown.size}`;
    return row;
  }

  /** Shows the value of a control that the run has. */
  show(name, value) {
    this.shown.get(name)?.(value);
  }

  #number(control, set, step = "any") {
    const range = rangeOf(control);
    const slider = element("input", { type: "range", min: range[0], max: range[1], step });
    const field = element("input", { type: "number", step });
    if (control.min !== undefined) field.min = control.min;
    if (control.max !== undefined) field.max = control.max;
    slider.value = field.value = control.value;
    slider.setAttribute("aria-label", control.name);
    let last = control.value;
    const show = (value) => {
      last = value;
      slider.min = Math.min(range[0], value);
      slider.max = Math.max(range[1], value);
      slider.value = field.value = value;
    };
    this.shown.set(control.name, show);
    slider.oninput = () => {
      last = field.value = step === 1 ? Math.round(slider.value) : rounded(Number(slider.value), range);
      set(Number(field.value));
    };
    field.onchange = () => {
      const value = Number(field.value);
      if (field.value === "" || !Number.isFinite(value)) return show(last);
      show(value);
      set(value);
    };
    return [slider, field];
  }

  #switch(control, set) {
    const field = element("input", { type: "checkbox", checked: control.value !== 0 });
    this.shown.set(control.name, (value) => (field.checked = value !== 0));
    field.onchange = () => set(field.checked ? 1 : 0);
    return [field];
  }

  #choice(control, set) {
    const field = element("select", {}, ...control.choices.map((text) => new Option(text || "none", text)));
    field.value = control.text;
    this.shown.set(control.name, (value) => (field.value = value));
    field.onchange = () => set(field.value);
    return [field];
  }
}
