import { Effect, type Scope } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../running/lastro.ts"

const execute = (folder: string, command: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => promisify(execFile)(command, [...args], { cwd: folder, maxBuffer: 64 * 1024 * 1024 }))

/** Checks out a commit into a folder of its own and installs its dependencies. Removes the folder when the scope closes. */
export const checkOutVersion = (commit: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function*() {
    const folder = join(yield* Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-version-"))), "lastro")
    yield* Effect.acquireRelease(
      execute(root, "git", "worktree", "add", "--detach", folder, commit),
      () => execute(root, "git", "worktree", "remove", "--force", folder)
    )
    yield* execute(folder, "pnpm", "install", "--frozen-lockfile", "--prefer-offline")
    return folder
  })
