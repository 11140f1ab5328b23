import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Environment, type Finished, root, running } from "./lastro.ts"

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** Returns the `sh` blocks in the section of a document, in their order. */
export const documentedCommands = (document: string, section: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const text = await readFile(join(root, "docs", document), "utf8")
    const [, content] = text.split(`\n## ${section}\n`)
    const [found = ""] = (content ?? "").split("\n## ")
    return Array.from(found.matchAll(/```sh\n(.*?)```/gs), ([, block = ""]) => block)
  })

/** Runs a block of a document in a shell in which `lastro` is the command line. Ends at the first command that fails. */
export const runDocumented = (block: string, environment: Environment): Effect.Effect<Finished> =>
  Effect.scoped(Effect.gen(function*() {
    const script = `lastro() { '${process.execPath}' '${main}' "$@"; }\n${block}`
    const { ended, err, out } = yield* running("sh", ["-euc", script], environment)
    return { ending: yield* ended, out: out(), err: err() }
  }))
