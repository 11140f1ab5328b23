import { Effect } from "effect"
import { cp, glob, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { migratedCache } from "../../packages/adapters-sql/test/migratedCache.ts"
import { startPostgres } from "../../test/postgresServer.ts"
import { Failure, readJson, root, run } from "../execute.ts"
import { type Package } from "./tarballs.ts"

/** Package names with their versions or ranges. */
export type Ranges = Readonly<Record<string, string>>

/** Writes the package.json and the strict tsconfig.json of a project. With `scripts`, ignores errors in declarations. */
export const writeProject = async (directory: string, dependencies: Ranges, scripts?: Ranges): Promise<void> => {
  const manifest = { name: basename(directory), private: true, type: "module", scripts, dependencies }
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest))
  const compilerOptions = {
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    exactOptionalPropertyTypes: true,
    lib: ["ES2024", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    module: "NodeNext",
    noEmit: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: scripts !== undefined,
    strict: true,
    target: "ES2024",
    types: ["node"],
    verbatimModuleSyntax: true
  }
  await writeFile(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
}

/** Installs all projects below a folder in one pnpm workspace, with the versions in `overrides`. */
export const install = async (directory: string, overrides: Ranges): Promise<void> => {
  const settings = { packages: ["*", "*/*"], overrides, verifyDepsBeforeRun: false }
  await writeFile(join(directory, "pnpm-workspace.yaml"), JSON.stringify(settings))
  await writeFile(join(directory, "package.json"), JSON.stringify({ name: "workspace", private: true }))
  await run({ cwd: directory }, "pnpm", "install", "--prefer-offline", "--ignore-scripts", "--no-frozen-lockfile")
}

const isSource = (path: string): boolean => !/[\\/](?:node_modules|dist)$/.test(path)

const inMemory = "dataDir: \"memory\""

/**
 * Makes a program copy the migrated test database instead of creating a new one in memory, which takes several seconds.
 */
const withCache = async (program: string): Promise<string> => {
  if (!program.includes(inMemory)) return program
  const cacheFolder = await Effect.runPromise(migratedCache)
  return program.replace(inMemory, `${inMemory}, cacheFolder: ${JSON.stringify(cacheFolder)}`)
}

const sourceFiles = async (directory: string): Promise<ReadonlyArray<string>> => {
  const files: Array<string> = []
  const options = { cwd: directory, exclude: ["**/node_modules/**"] }
  for await (const path of glob("**/*.ts", options)) files.push(join(directory, path))
  return files
}

/** Copies the sources of an example. Its in-memory databases are copies of the migrated one, too. */
const copyExample = async (from: string, to: string): Promise<string> => {
  await cp(from, to, { recursive: true, filter: isSource })
  const files = await sourceFiles(to)
  await Promise.all(files.map(async (file) => writeFile(file, await withCache(await readFile(file, "utf8")))))
  return to
}

/** Copies the sources of all examples. Returns their folders. */
export const copyExamples = async (to: string): Promise<ReadonlyArray<string>> => {
  await mkdir(to, { recursive: true })
  const entries = await readdir(join(root, "examples"), { withFileTypes: true })
  const examples = entries.filter((entry) => entry.isDirectory())
  return Promise.all(examples.map(({ name }) => copyExample(join(root, "examples", name), join(to, name))))
}

/** A code block of a README, and the line number of its opening fence. */
interface Block {
  readonly language: string
  readonly text: string
  readonly line: number
}

const blocksOf = (markdown: string): ReadonlyArray<Block> =>
  Array.from(markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms), ({ 1: language = "", 2: text = "", index }) => ({
    language,
    text,
    line: markdown.slice(0, index).split("\n").length
  }))

/** Parses the `npm install` lines of the `sh` blocks. Returns the package names with their ranges. */
const parseInstalls = (blocks: ReadonlyArray<Block>): Ranges =>
  Object.fromEntries(
    blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.split("\n"))
      .filter((line) => line.startsWith("npm install "))
      .flatMap((line) => line.replace(/ #.*/, "").split(/\s+/).slice(2))
      .filter((word) => word !== "" && !word.startsWith("-"))
      .map((word) => {
        const [, name = "", range = "latest"] = /^(.[^@]*)(?:@(.*))?$/.exec(word) ?? []
        return [name, range]
      })
  )

/** Lists the packages that a program imports, without the modules of Node.js. */
const importedPackages = (program: string): ReadonlyArray<string> =>
  Array.from(
    program.matchAll(/^(?:import|export)\b[^"';]*["']((?:@[^/"']+\/)?[^./"'][^/"']*)/gm),
    ([, name = ""]) => name
  ).filter((name) => !name.startsWith("node:"))

/** Lists imports of packages that no earlier `npm install` line installs. */
const missingInstalls = (blocks: ReadonlyArray<Block>): ReadonlyArray<string> =>
  blocks.filter(({ language }) => language === "ts").flatMap(({ line, text }) => {
    const present = parseInstalls(blocks.filter((block) => block.line < line))
    return importedPackages(text).filter((name) => !Object.hasOwn(present, name)).map((name) => `line ${line}: ${name}`)
  })

/** Commands that run programs of a README: plain programs, tests of Node.js, and tests of Jest. Each is one process. */
const commands = {
  program: `node ${join(import.meta.dirname, "inSequence.ts")}`,
  nodeTest: "node --test --test-isolation=none",
  jest: "node --experimental-vm-modules node_modules/jest/bin/jest.js"
}

const kindOf = ({ language, text }: Block): keyof typeof commands => {
  if (language === "js") return "jest"
  return text.includes("from \"node:test\"") ? "nodeTest" : "program"
}

/**
 * Writes each `ts` block of a package's README, and each `js` block for Jest, as a program of one project. The project
 * has only the packages that the README installs. Returns its folder.
 */
export const writeReadme = async (to: string, { folder, name, version }: Package): Promise<string> => {
  const blocks = blocksOf(await readFile(join(root, "packages", folder, "README.md"), "utf8"))
  const missing = missingInstalls(blocks)
  if (missing.length > 0) {
    throw new Failure(`The README of ${name} uses packages before installing them:\n${missing.join("\n")}`)
  }
  const directory = join(to, folder)
  await mkdir(directory, { recursive: true })
  const programs = blocks.filter(({ language, text }) =>
    language === "ts" || (language === "js" && text.includes("\"@jest/globals\""))
  )
  if (programs.length === 0) throw new Failure(`The README of ${name} has no programs`)
  const files = await Promise.all(programs.map(async (block) => {
    const file = `line-${block.line}${block.language === "js" ? ".test.js" : ".ts"}`
    await writeFile(join(directory, file), await withCache(block.text))
    return [kindOf(block), file] as const
  }))
  const runs = Object.entries(commands).flatMap(([kind, command]) => {
    const ofKind = files.filter(([fileKind]) => fileKind === kind).map(([, file]) => file)
    return ofKind.length === 0 ? [] : [[command, ...ofKind].join(" ")]
  })
  const installed = Object.entries(parseInstalls(blocks)).map(([dependency, range]) =>
    [dependency, dependency.startsWith("@lastro/") ? version : range] as const
  )
  const scripts = { check: "tsc", test: runs.join(" && ") }
  await writeProject(directory, { "@types/node": "^24.0.0", ...Object.fromEntries(installed) }, scripts)
  return directory
}

const readsDatabaseUrl = async (directory: string): Promise<boolean> => {
  const texts = await Promise.all((await sourceFiles(directory)).map((file) => readFile(file, "utf8")))
  return texts.some((text) => text.includes("DATABASE_URL"))
}

/** A project whose sources and packages are in its folder. */
interface Project {
  readonly directory: string
  readonly scripts: Ranges
  /** The text of its tsconfig.json. */
  readonly compilation: string
}

const readProject = async (directory: string): Promise<Project> => {
  const [manifest, compilation] = await Promise.all(
    ["package.json", "tsconfig.json"].map((file) => readFile(join(directory, file), "utf8"))
  )
  const { scripts } = JSON.parse(manifest ?? "") as { readonly scripts: Ranges }
  return { directory, scripts, compilation: compilation ?? "" }
}

/**
 * Type-checks projects as one program, with the TypeScript of the first one. Checking each by itself would read the declarations
 * of the packages each time, which takes most of the time. One checker of TypeScript 7 repeats no work.
 */
const checkTogether = async (projects: ReadonlyArray<Project>): Promise<void> => {
  const [first] = projects
  if (first === undefined) return
  const include = projects.map(({ directory }) => `${directory}/**/*.ts`)
  const exclude = ["**/node_modules"]
  await writeFile(
    join(first.directory, "tsconfig.all.json"),
    JSON.stringify({ extends: "./tsconfig.json", include, exclude })
  )
  const flags = ["-p", "tsconfig.all.json", "--checkers", "1"]
  await run({ cwd: first.directory }, join(first.directory, "node_modules", ".bin", "tsc"), ...flags)
}

/** Runs the `test` script of a project, or else its `start` script. Starts PostgreSQL if a program reads `DATABASE_URL`. */
const runProject = async ({ directory, scripts }: Project): Promise<void> => {
  const script = ["test", "start"].find((candidate) => scripts[candidate] !== undefined)
  if (script === undefined) throw new Failure(`${directory} has neither a test nor a start script`)
  const server = await readsDatabaseUrl(directory) ? await startPostgres() : undefined
  const env = server === undefined ? {} : { DATABASE_URL: server.url }
  await run({ cwd: directory, env }, "node", "--run", script).finally(() => server?.stop())
}

/** A named part of the tests of projects. */
export type Task = readonly [name: string, run: () => Promise<void>]

/**
 * Returns the tasks that test projects. A task runs the `check` script of a project, and then its `test` script, or else
 * its `start` script. Projects with the same tsconfig.json, which they check with `tsc`, are checked together instead.
 */
export const projectTasks = async (directories: ReadonlyArray<string>): Promise<ReadonlyArray<Task>> => {
  const projects = await Promise.all(directories.map(readProject))
  const together = Map.groupBy(
    projects.filter(({ scripts }) => scripts["check"] === "tsc"),
    ({ compilation }) => compilation
  )
  const groups = [...together.values()].filter((group) => group.length > 1)
  const checked = new Set(groups.flat())
  return [
    ...groups.map((group): Task => [`types of ${group.length} projects`, () => checkTogether(group)]),
    ...projects.map((project): Task => [basename(project.directory), async () => {
      if (!checked.has(project)) await run({ cwd: project.directory }, "node", "--run", "check")
      await runProject(project)
    }])
  ]
}

/** Lints the programs of the READMEs with the rules for `examples`: no type assertions, no deep imports. */
export const lintAsExamples = async (directory: string): Promise<void> => {
  const { overrides } = await readJson<{
    readonly overrides: ReadonlyArray<{ readonly files: ReadonlyArray<string>; readonly rules: object }>
  }>(".oxlintrc.json")
  const rules = overrides.find(({ files }) => files.includes("examples/**"))?.rules
  if (rules === undefined) throw new Failure(".oxlintrc.json has no override for examples/**")
  const ignorePatterns = ["**/node_modules"]
  const config = { plugins: ["typescript"], categories: { correctness: "off" }, ignorePatterns, rules }
  await writeFile(join(directory, ".oxlintrc.json"), JSON.stringify(config))
  await run({ cwd: directory }, "oxlint", "--format", "unix", ".")
}
