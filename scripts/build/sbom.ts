import { execute, Failure, root } from "../packages/execute.ts"

interface Bom {
  readonly components: ReadonlyArray<{ readonly "bom-ref": string; readonly purl: string }>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: ReadonlyArray<string> }>
}

/** The package URL of a package on npm (ECMA-427). */
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`

/**
 * Returns the components of the artefact in the format CycloneDX 1.6, from the lockfile. `packages` are the packages
 * that the artefact contains. Other packages of the lockfile are omitted, because it also has optional dependencies
 * that are never loaded.
 */
export const sbom = async (
  packages: ReadonlyArray<{ readonly name: string; readonly version: string }>
): Promise<string> => {
  const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--sbom-type", "application", "--prod"]
  const { ok, output } = await execute(
    { cwd: root },
    "pnpm",
    "--silent",
    "--filter",
    "@lastro/server",
    "sbom",
    ...format
  )
  if (!ok) throw new Failure(`pnpm sbom\n${output}`)
  const bom = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)) as Bom
  const wanted = new Set(packages.map(({ name, version }) => purlOf(name, version)))
  const components = bom.components.filter(({ purl }) => wanted.has(purl) || purl.startsWith("pkg:npm/%40lastro/"))
  const missing = [...wanted].filter((purl) => !components.some((component) => component.purl === purl))
  if (missing.length > 0) throw new Failure(`The lockfile does not contain ${missing.join(", ")}`)
  const refs = new Set(components.map((component) => component["bom-ref"]))
  const kept = bom.dependencies.filter(({ ref }) => refs.has(ref) || !bom.components.some((c) => c["bom-ref"] === ref))
  const dependencies = kept.map(({ dependsOn = [], ref }) => ({
    ref,
    dependsOn: dependsOn.filter((one) => refs.has(one))
  }))
  return `${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`
}
