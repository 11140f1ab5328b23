// Builds the artefact of the server in dist/lastro, with its list of components (SBOM).
import { copyFile, readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { writeArtefact } from "./build/artefact.ts"
import { sbom } from "./build/sbom.ts"
import { root } from "./packages/execute.ts"

const folder = join(root, "dist", "lastro")
const packages = await writeArtefact(folder)
await writeFile(join(folder, "sbom.cdx.json"), await sbom(packages))
await copyFile(join(root, "apps/server/CHANGELOG.md"), join(folder, "CHANGELOG.md"))

const entries = await readdir(folder, { recursive: true, withFileTypes: true })
const files = entries.filter((entry) => entry.isFile())
const sizes = await Promise.all(files.map(async ({ name, parentPath }) => (await stat(join(parentPath, name))).size))
const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
process.stdout.write(
  `dist/lastro: ${files.length} files, ${megabytes.toFixed(1)} MB. Run it with: node dist/lastro/lastro.mjs\n`
)
