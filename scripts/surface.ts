// Writes packages/*/surface.txt, the exported names of each package, so that a change of the public surface is visible in
// review. With --check, fails if a file is out of date. Always fails if an export has no doc comment.
import { readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { folders } from "./packages/tarballs.ts"
import { surfaceOf } from "./surfaceOf.ts"

const root = join(import.meta.dirname, "..")
const problems: Array<string> = []

for (const folder of folders) {
  const directory = join(root, "packages", folder)
  const { exports, name } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    readonly name: string
    readonly exports: Readonly<Record<string, string>>
  }
  const entries = Object.entries(exports).filter(([, file]) => file.endsWith(".ts"))
  const text = entries.map(([path, file]) => {
    const surface = [...surfaceOf(join(directory, file))].toSorted(([one], [other]) => one < other ? -1 : 1)
    for (const [exported, { file, isDocumented }] of surface) {
      if (!isDocumented) problems.push(`${relative(root, file)}: ${exported} has no doc comment`)
    }
    const lines = surface.map(([exported, { kinds }]) => `${exported}: ${[...kinds].toSorted().join(", ")}\n`)
    return `# ${name}${path.slice(1)}\n\n${lines.join("")}`
  }).join("\n")
  const file = join(directory, "surface.txt")
  if (!process.argv.includes("--check")) writeFileSync(file, text)
  else if (readFileSync(file, "utf8") !== text) {
    problems.push(`${relative(root, file)} is out of date: run pnpm surface`)
  }
}

for (const problem of new Set(problems)) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
