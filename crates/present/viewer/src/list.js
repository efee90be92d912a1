// The list of bodies: follow, hide, find.

const EYE =
  '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4">' +
  '<path d="M1 8s2.6-4.5 7-4.5S15 8 15 8s-2.6 4.5-7 4.5S1 8 1 8z"/><circle cx="8" cy="8" r="2"/></svg>';

const PATH =
  '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6">' +
  '<path d="M1.5 13C5 2 8 14 10.5 7S13 3 14.5 3"/></svg>';

const channel = (value) => Math.round(255 * value);

function element(tag, className, content = "") {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = content;
  return node;
}

export class BodyList {
  /** `on.follow(index)`, `on.trail(index, on)` and `on.hide(indices, hidden)` are called on clicks. */
  constructor(root, bodies, on) {
    this.on = on;
    this.names = bodies.map((body) => body.name);
    this.hidden = bodies.map(() => false);
    this.rows = bodies.map((body, index) => this.#row(body, index));
    root.append(...this.rows);
    this.all = document.getElementById("all");
    this.all.onclick = () => this.#hideAll();
    document.getElementById("filter").oninput = (event) => this.#filter(event.target.value.toLowerCase());
  }

  #row(body, index) {
    const row = element("li", "");
    const dot = element("span", "dot");
    const color = body.parts[0]?.color ?? [0.7, 0.7, 0.7];
    dot.style.background = `rgb(${color.slice(0, 3).map(channel).join(" ")})`;
    const name = element("button", "name", body.name);
    name.title = `Follow ${body.name}`;
    name.onclick = () => this.on.follow(index);
    const eye = element("button", "eye");
    eye.innerHTML = EYE;
    eye.title = `Show or hide ${body.name}`;
    eye.setAttribute("aria-pressed", "true");
    eye.onclick = () => this.#hide([index], !this.hidden[index]);
    const path = element("button", "path");
    path.innerHTML = PATH;
    path.title = `Path of ${body.name}`;
    path.setAttribute("aria-pressed", "false");
    path.onclick = () => {
      const on = path.getAttribute("aria-pressed") !== "true";
      path.setAttribute("aria-pressed", String(on));
      this.on.trail(index, on);
    };
    row.append(dot, name, path, eye);
    return row;
  }

  #hide(indices, hidden) {
    for (const index of indices) {
      this.hidden[index] = hidden;
      this.rows[index].lastChild.setAttribute("aria-pressed", String(!hidden));
    }
    this.all.textContent = this.hidden.every(Boolean) ? "Show all" : "Hide all";
    this.on.hide(indices, hidden);
  }

  /** Hides or shows the rows that the filter leaves. */
  #hideAll() {
    const shown = this.rows.map((_, index) => index).filter((index) => !this.rows[index].hidden);
    this.#hide(shown, shown.some((index) => !this.hidden[index]));
  }

  #filter(text) {
    this.rows.forEach((row, index) => (row.hidden = !this.names[index].toLowerCase().includes(text)));
  }

  setFollowed(followed) {
    this.rows.forEach((row, index) => row.classList.toggle("followed", index === followed));
  }

  setPresent(present) {
    this.rows.forEach((row, index) => row.classList.toggle("absent", !present[index]));
  }
}
