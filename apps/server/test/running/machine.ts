import { Effect, type Scope } from "effect"
import { execFile } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort as findFreePort } from "../../../../test/PostgresHost.ts"

/** Makes an empty folder and removes it when the scope closes. */
export const emptyFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** Finds a free port. */
export const freePort: Effect.Effect<number> = Effect.promise(findFreePort)

/** Writes a private JWK set of one key, with these fields, to a file and removes it when the scope closes. */
export const keyFile = (kid: string, fields: object = {}) =>
  Effect.gen(function*() {
    const folder = yield* emptyFolder
    const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })
    const file = join(folder, "keys.json")
    yield* Effect.promise(() => writeFile(file, JSON.stringify({ keys: [{ ...jwk, kid, ...fields }] })))
    return file
  })

const pageSize = 4_096

/** Resident memory of a process in bytes, from `/proc` on Linux or else from `ps`. */
export const residentMemory = (pid: number): Effect.Effect<number> =>
  Effect.promise(() =>
    readFile(`/proc/${pid}/statm`, "utf8").then(
      (pages) => Number(pages.split(" ")[1]) * pageSize,
      async () => Number((await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)])).stdout) * 1_024
    )
  )

/** Largest resident memory that a process has had, in bytes. Outside of Linux, its present resident memory. */
export const peakMemory = (pid: number): Effect.Effect<number> =>
  Effect.flatMap(
    Effect.promise(() => readFile(`/proc/${pid}/status`, "utf8").catch(() => "")),
    (status) => {
      const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
      return kibibytes === undefined ? residentMemory(pid) : Effect.succeed(Number(kibibytes) * 1_024)
    }
  )
