import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { execute, Failure, root, run, runAll } from "./execute.ts"
import { type Package } from "./tarballs.ts"
import { writeManifest } from "./temporaryFolder.ts"
import { typeCheck, writeTsconfig } from "./typeCheck.ts"

/** The programs of a README, and the folder in which they are written. */
export interface Readme {
  readonly name: string
  readonly directory: string
  readonly programs: ReadonlyArray<string>
}

interface Block {
  readonly language: string
  readonly text: string
  /** The line number of the opening fence. */
  readonly line: number
}

const blocksOf = (markdown: string): ReadonlyArray<Block> =>
  Array.from(markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms), ({ 1: language = "", 2: text = "", index }) => ({
    language,
    text,
    line: markdown.slice(0, index).split("\n").length
  }))

/** Parses the `npm install` lines of the `sh` blocks. Returns the package names with their ranges. */
const parseInstalls = (blocks: ReadonlyArray<Block>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.split("\n"))
      .filter((line) => line.startsWith("npm install "))
      .flatMap((line) =>
        line.split(" #", 1).join("").split(/\s+/).slice(2).filter((word) => word !== "" && !word.startsWith("-"))
      )
      .map((word) => {
        const at = word.indexOf("@", 1)
        return at < 0 ? [word, "latest"] : [word.slice(0, at), word.slice(at + 1)]
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

const inMemory = "dataDir: \"memory\""

/** Adds the cache of the tests to a program with an in-memory database, because creating a database takes several seconds. */
const withCache = (program: string): string =>
  program.replace(
    inMemory,
    `${inMemory}, cacheFolder: ${JSON.stringify(join(root, "node_modules", ".cache", "lastro"))}`
  )

const isForJest = ({ language, text }: Block): boolean => language === "js" && text.includes("\"@jest/globals\"")

const jest = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js"]

/** Writes each `ts` block of a package's README, and each `js` block for Jest, as a program, in a project with only the packages that the README installs. */
export const writeReadme = async (to: string, { folder, name, version }: Package): Promise<Readme> => {
  const blocks = blocksOf(await readFile(join(root, "packages", folder, "README.md"), "utf8").catch(() => ""))
  const missing = missingInstalls(blocks)
  if (missing.length > 0) {
    throw new Failure(`The README of ${name} uses packages before installing them:\n${missing.join("\n")}`)
  }
  const directory = join(to, folder)
  await mkdir(directory, { recursive: true })
  const sources = blocks.filter((block) => block.language === "ts" || isForJest(block))
  const programs = sources.map((block) =>
    isForJest(block)
      ? `line-${block.line}.test.js`
      : /from "vitest"/.test(block.text)
      ? `line-${block.line}.test.ts`
      : `line-${block.line}.ts`
  )
  // One program of each README creates its database as written.
  const plain = sources.find(({ text }) => text.includes(inMemory))
  await Promise.all(
    sources.map((source, index) =>
      writeFile(join(directory, programs[index] ?? ""), source === plain ? source.text : withCache(source.text))
    )
  )
  const dependencies = Object.entries(parseInstalls(blocks)).map(([one, range]) =>
    [one, one.startsWith("@lastro/") ? version : range] as const
  )
  await writeManifest(directory, `readme-${folder}`, Object.fromEntries([["@types/node", "^24.0.0"], ...dependencies]))
  await writeTsconfig(directory)
  return { name, directory, programs }
}

/** Type-checks the programs of a README and runs them one after another. */
export const runReadme = async (
  { directory, name, programs }: Readme,
  env: Readonly<Record<string, string>>
): Promise<void> => {
  if (programs.length === 0) throw new Failure(`The README of ${name} has no programs`)
  await typeCheck(directory, { declarations: false })
  const options = { cwd: directory, env, timeout: 60_000 }
  const failures = await runAll(
    1,
    programs.map((program) => () =>
      program.endsWith(".test.ts")
        ? run(options, "pnpm", "exec", "vitest", "run", program)
        : program.endsWith(".test.js")
        ? run(options, "node", ...jest, program)
        : run(options, "node", program)
    )
  )
  if (failures.length > 0) throw new Failure(failures.map(String).join("\n"))
}

interface LintOverride {
  readonly files: ReadonlyArray<string>
  readonly rules: Readonly<Record<string, unknown>>
}

/** Lints the programs of the READMEs with the rules for `examples`: no type assertions, no deep imports. */
export const lintAsExamples = async (directory: string): Promise<void> => {
  const { overrides } = JSON.parse(await readFile(join(root, ".oxlintrc.json"), "utf8")) as {
    readonly overrides: ReadonlyArray<LintOverride>
  }
  const rules = overrides.find(({ files }) => files.includes("examples/**"))?.rules
  if (rules === undefined) throw new Failure(".oxlintrc.json has no override for examples/**")
  const config = join(directory, ".oxlintrc.json")
  await writeFile(
    config,
    JSON.stringify({
      plugins: ["typescript"],
      categories: { correctness: "off" },
      ignorePatterns: ["**/node_modules"],
      rules
    })
  )
  const { ok, output } = await execute({ cwd: directory }, "oxlint", "--config", config, "--format", "unix", ".")
  if (!ok) throw new Failure(`README programs break the lint rules for examples:\n${output}`)
}
