// Bundles the server into one file. The server does the same at its start if the file is missing or out of date.
import { readdir, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { bundleProgram } from "./bundleProgram.ts"
import { serverProject } from "./Project.ts"

await bundleProgram(serverProject)

// Compile caches also keep the code of programs that no longer exist. Empty them, but leave their folders to processes
// that are about to write their code.
const caches = dirname(join(serverProject.root, serverProject.programs))
await Promise.all(["compiled", "compiled-serve"].map(async (cache) => {
  const entries = await readdir(join(caches, cache), { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  await Promise.all(files.map(({ name, parentPath }) => rm(join(parentPath, name), { force: true })))
}))
