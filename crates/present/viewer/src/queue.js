// Commands on their way to a run. Independent of the page.

/** Adds a command; of those that say the same thing again only the last counts. */
export function enqueue(queue, command) {
  const again = (other) => other.do === command.do && (command.do === "pull" || (command.do === "set" && other.name === command.name));
  const at = queue.length - 1;
  if (at >= 0 && again(queue[at])) queue[at] = command;
  else queue.push(command);
}
