import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Failure, root, run } from "./execute.ts"
import { inTurn } from "./inTurn.ts"
import { writeManifest } from "./outside.ts"
import { type Package } from "./tarballs.ts"
import { typeCheck, writeTsconfig } from "./typeCheck.ts"

/** The programs of a README, and where they were written to. */
export interface Readme {
  readonly name: string
  readonly directory: string
  readonly programs: ReadonlyArray<string>
}

interface Block {
  readonly language: string
  readonly text: string
  /** Of the line that the block begins after. */
  readonly line: number
}

const blocksOf = (markdown: string): ReadonlyArray<Block> =>
  Array.from(markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms), ({ 1: language = "", 2: text = "", index }) => ({
    language,
    text,
    line: markdown.slice(0, index).split("\n").length
  }))

/** What a README has its reader install: `npm install -D name@range` is one line of it. */
const installed = (blocks: ReadonlyArray<Block>): Readonly<Record<string, string>> =>
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

/** The packages that a program imports from, without those of Node.js. */
const importedBy = (program: string): ReadonlyArray<string> =>
  Array.from(
    program.matchAll(/^(?:import|export)\b[^"';]*["']((?:@[^/"']+\/)?[^./"'][^/"']*)/gm),
    ([, name = ""]) => name
  ).filter((name) => !name.startsWith("node:"))

/** What is imported by a program, but not installed by any line above it: a reader who follows the README cannot run it. */
const tooEarly = (blocks: ReadonlyArray<Block>): ReadonlyArray<string> =>
  blocks.filter(({ language }) => language === "ts").flatMap(({ line, text }) => {
    const present = installed(blocks.filter((block) => block.line < line))
    return importedBy(text).filter((name) => !Object.hasOwn(present, name)).map((name) => `line ${line}: ${name}`)
  })

/**
 * Writes every TypeScript block of a package's README as a program of its own, beside a package.json that holds what the README has
 * its reader install, and nothing else.
 */
export const writeReadme = async (to: string, { folder, name, version }: Package): Promise<Readme> => {
  const blocks = blocksOf(await readFile(join(root, "packages", folder, "README.md"), "utf8").catch(() => ""))
  const early = tooEarly(blocks)
  if (early.length > 0) throw new Failure(`The README of ${name} installs too late, or never:\n${early.join("\n")}`)
  const directory = join(to, folder)
  await mkdir(directory, { recursive: true })
  const sources = blocks.filter(({ language }) => language === "ts")
  const programs = sources.map(({ line, text }) =>
    /from "vitest"/.test(text) ? `line-${line}.test.ts` : `line-${line}.ts`
  )
  await Promise.all(sources.map(({ text }, index) => writeFile(join(directory, programs[index] ?? ""), text)))
  const asked = Object.entries(installed(blocks)).map(([one, range]) =>
    [one, one.startsWith("@lastro/") ? version : range] as const
  )
  await writeManifest(directory, `readme-${folder}`, Object.fromEntries([["@types/node", "^24.0.0"], ...asked]))
  await writeTsconfig(directory)
  return { name, directory, programs }
}

/** Type-checks the programs of a README together, and runs them one after the other. */
export const runReadme = async (
  { directory, name, programs }: Readme,
  env: Readonly<Record<string, string>>
): Promise<void> => {
  if (programs.length === 0) throw new Failure(`The README of ${name} has no program`)
  await typeCheck(directory)
  const how = { cwd: directory, env, timeout: 60_000 }
  const failures = await inTurn(
    1,
    programs.map((program) => () =>
      program.endsWith(".test.ts") ? run(how, "pnpm", "exec", "vitest", "run", program) : run(how, "node", program)
    )
  )
  if (failures.length > 0) throw new Failure(failures.map(String).join("\n"))
}
