import { Effect, type Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Creates a temporary folder and removes it when the scope closes. */
export const makeTemporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)
