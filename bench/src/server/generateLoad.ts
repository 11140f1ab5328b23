import { Effect } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { type Load, type LoadResult } from "./Load.ts"

const program = join(import.meta.dirname, "autocannon.ts")

const generate = (load: Load): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], {
      env: { PATH: process.env["PATH"] },
      stdio: ["pipe", "pipe", "inherit"]
    })
    child.stdin.end(JSON.stringify(load))
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more
    })
    child.once("close", () => {
      try {
        resolve(JSON.parse(text))
      } catch {
        reject(new Error("The load generator failed"))
      }
    })
  })

/** Applies load to a server from a separate process, and returns the results. */
export const generateLoad = (load: Load): Effect.Effect<LoadResult> => Effect.promise(() => generate(load))
