// Bundles the viewer into one page: node bundle.mjs OUTPUT
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

async function bundled(entry) {
  const result = await build({
    entryPoints: [path(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    charset: "utf8",
    legalComments: "none",
    logLevel: "error",
  });
  return result.outputFiles[0].text.trim();
}

const CONTAINED = { "three.js": "three", "uPlot": "uplot", "fflate": "fflate" };
const licence = async ([name, folder]) =>
  `This page contains ${name}:\n\n${(await readFile(path(`node_modules/${folder}/LICENSE`), "utf8")).trim()}`;

const parts = {
  LICENCES: (await Promise.all(Object.entries(CONTAINED).map(licence))).join("\n\n"),
  STYLE: await bundled("src/style.css"),
  SCRIPT: await bundled("src/main.js"),
};
const template = await readFile(path("src/page.html"), "utf8");
// A function as replacement keeps "$&" in the inserted text literal.
const page = template.replace(/@@(LICENCES|STYLE|SCRIPT)@@/g, (_, part) => parts[part]);
await writeFile(process.argv[2], page);
