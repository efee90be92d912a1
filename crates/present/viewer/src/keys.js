// Keyboard shortcuts.

const TOGGLES = {
  f: "frames", g: "grid", w: "wireframe", c: "contacts", s: "shadows", t: "trail", l: "loop", k: "springs", j: "joints",
  a: "forces", x: "cuts", n: "labels", p: "plot", o: "orthographic",
};
const SIDES = { 1: "front", 2: "right", 3: "top", 4: "back", 5: "left", 6: "bottom" };

function typing(target) {
  return target.matches?.('input[type="search"], input[type="number"], dialog, dialog *');
}

/** Binds keys to the player's actions. */
export function bindKeys(player) {
  const actions = {
    " ": () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    ArrowUp: () => player.shiftSpeed(1),
    ArrowDown: () => player.shiftSpeed(-1),
    Home: () => player.seek(player.clock.start),
    End: () => player.seek(player.clock.end),
    Escape: () => player.follow(-1),
    r: () => player.resetView(),
    Backspace: () => player.live?.startOver(),
    "?": () => document.getElementById("keys").showModal(),
  };
  // In the capture phase, before the camera controls or a focused slider take the arrows.
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (TOGGLES[key]) player.switch(TOGGLES[key]);
    else if (SIDES[key]) player.lookFrom(SIDES[key]);
    else if (actions[key]) actions[key](event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
}
