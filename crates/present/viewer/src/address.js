// Options in the address: #t=1.5&follow=name&view=top&frames=1&grid=0 ...

/** Applies the fragment of the address; a time pauses the playback. */
export function applyAddress(player, fragment) {
  const options = new URLSearchParams(fragment.replace(/^#/, ""));
  for (const [name, value] of options) {
    if (name in player.options) player.set(name, value !== "0");
  }
  // A view of the whole motion follows nothing.
  if (options.has("view")) player.lookFrom(options.get("view"));
  if (options.has("follow")) {
    player.tick(0);
    player.follow(player.animation.bodies.findIndex((body) => body.name === options.get("follow")));
  }
  if (options.has("chapter") && player.animation.chapters) player.open(Number(options.get("chapter")) - 1);
  const time = Number(options.get("t"));
  if (options.has("t") && Number.isFinite(time)) player.seek(time);
  else if (!player.live) player.toggle();
}
