import { Console, Effect } from "effect"
import { format } from "node:util"
import { gzipSync } from "node:zlib"
import { refuse } from "./refused.ts"

/** Number of characters that are compressed together. */
const chunkSize = 1_000_000

/** The flag of a command whose standard output this process compresses. */
const flag = "--gzip"

/**
 * Compresses the standard output of a command that has the flag `--gzip`. The output is a series of gzip members, which
 * is a valid gzip file (RFC 1952 §2.2). A server that runs the command sends its output as text.
 */
export const withGzip = <A, E, R>(command: Effect.Effect<A, E, R>, args: ReadonlyArray<string>) => {
  const isGzipped = args[0] === "audit" && args.includes(flag) && !args.includes("--help")
  if (!isGzipped) return command
  return Effect.gen(function*() {
    if (process.stdout.isTTY) return yield* refuse("A terminal cannot show compressed output. Redirect it to a file.")
    let waiting = ""
    const flush = () => {
      if (waiting !== "") process.stdout.write(gzipSync(waiting))
      waiting = ""
    }
    const log = (...parts: ReadonlyArray<unknown>) => {
      waiting += `${format(...parts)}\n`
      if (waiting.length >= chunkSize) flush()
    }
    const compressing: Console.Console = Object.assign(Object.create(console), { log, info: log, debug: log })
    const result = yield* Effect.provideService(command, Console.Console, compressing)
    flush()
    return result
  })
}
