import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Environment, type Finished, root, running } from "./lastro.ts"

const main = fileURLToPath(new URL("../../src/main.js", import.meta.url))

/** Returns the `sh` blocks in the section of a document, in their order. */
export const documentedCommands = (document: string, section: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const text = await readFile(join(root, "docs", document), "utf8")
    const [, content] = text.split(`\n## ${section}\n`)
    const [lines = ""] = (content ?? "").split("\n## ")
    return Array.from(lines.matchAll(/```sh\n(.*?)```/gs), ([, block = ""]) => block)
  })

/** Returns a script in which `lastro` is the command line, for a block of a document. */
export const documentedScript = (block: string): string =>
  `lastro() { '${process.execPath}' '${main}' "$@"; }\n${block}`

/** Runs a block of a document. Ends at the first command that fails. */
export const runDocumented = (block: string, environment: Environment): Effect.Effect<Finished> =>
  Effect.scoped(Effect.gen(function*() {
    const { ended, err, out } = yield* running("sh", ["-euc", documentedScript(block)], environment)
    return { ending: yield* ended, out: out(), err: err() }
  }))
