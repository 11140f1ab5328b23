import { Effect, type Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Makes an empty folder and removes it when the scope closes. */
export const emptyFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)
