// Builds the artefact of the server in dist/lastro, with its list of components (SBOM).
import { copyFile, readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { writeArtefact } from "./build/artefact.ts"
import { Failure, root, run } from "./execute.ts"

interface Bom {
  readonly components: ReadonlyArray<{ readonly "bom-ref": string; readonly purl: string }>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: ReadonlyArray<string> }>
}

/**
 * Returns the components of the artefact in the format CycloneDX 1.6, from the lockfile. `packages` are those in the
 * artefact. The lockfile also has optional dependencies that are never loaded; they are omitted.
 */
const sbomOf = async (packages: Awaited<ReturnType<typeof writeArtefact>>): Promise<string> => {
  const flags = "--sbom-format cyclonedx --sbom-spec-version 1.6 --sbom-type application --prod"
  const output = await run({}, "pnpm", "--silent", "--filter", "@lastro/server", "sbom", ...flags.split(" "))
  const bom = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as Bom
  // The package URL of a package on npm (ECMA-427).
  const wanted = new Set(packages.map(({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`))
  const components = bom.components.filter(({ purl }) => wanted.has(purl) || purl.startsWith("pkg:npm/%40lastro/"))
  const missing = [...wanted].filter((purl) => !components.some((component) => component.purl === purl))
  if (missing.length > 0) throw new Failure(`The lockfile does not contain ${missing.join(", ")}`)
  const refs = new Set(components.map((component) => component["bom-ref"]))
  const kept = bom.dependencies.filter(({ ref }) => refs.has(ref) || !bom.components.some((c) => c["bom-ref"] === ref))
  const dependencies = kept.map(({ dependsOn = [], ref }) => ({
    ref,
    dependsOn: dependsOn.filter((dependency) => refs.has(dependency))
  }))
  return `${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`
}

const folder = join(root, "dist", "lastro")
await writeFile(join(folder, "sbom.cdx.json"), await sbomOf(await writeArtefact(folder)))
await copyFile(join(root, "apps/server/CHANGELOG.md"), join(folder, "CHANGELOG.md"))

const entries = await readdir(folder, { recursive: true, withFileTypes: true })
const files = entries.filter((entry) => entry.isFile())
const sizes = await Promise.all(files.map(async ({ name, parentPath }) => (await stat(join(parentPath, name))).size))
const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
console.log(`dist/lastro: ${files.length} files, ${megabytes.toFixed(1)} MB. Run it with: node dist/lastro/lastro.mjs`)
