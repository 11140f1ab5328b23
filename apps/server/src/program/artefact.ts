// Starts the artefact. `scripts/build.ts` bundles this module, and its entry imports it. The folder of the artefact has
// the layout of the project: `program.mjs`, `node_modules`.
import { fileURLToPath } from "node:url"
import { startProgram } from "./startProgram.ts"

const root = new URL("../../../../", import.meta.url)
const program = new URL("program.mjs", root).href
const cache = fileURLToPath(new URL("node_modules/.cache/lastro", root))

await startProgram(cache, () => import(program), program)
