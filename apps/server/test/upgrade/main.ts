import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, type Scope } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../running/lastro.ts"
import { runUpgrade } from "./runUpgrade.ts"

const write = (line: string): void => void process.stdout.write(`${line}\n`)

const execute = (folder: string, command: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => promisify(execFile)(command, [...args], { cwd: folder, maxBuffer: 64 * 1024 * 1024 }))

/** Checks out a commit into a folder of its own and installs its dependencies. Removes the folder when the scope closes. */
const checkOutVersion = (commit: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function*() {
    const folder = join(yield* Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-version-"))), "lastro")
    yield* Effect.acquireRelease(
      execute(root, "git", "worktree", "add", "--detach", folder, commit),
      () => execute(root, "git", "worktree", "remove", "--force", folder)
    )
    yield* execute(folder, "pnpm", "install", "--frozen-lockfile", "--prefer-offline")
    return folder
  })

// UPGRADE_FOLDER is a folder with an installed version; UPGRADE_FROM is a commit that is checked out and installed.
const upgrade = Effect.gen(function*() {
  const from = process.env["UPGRADE_FROM"] ?? "HEAD~1"
  const folder = process.env["UPGRADE_FOLDER"] ?? (yield* checkOutVersion(from))
  const problems = yield* runUpgrade({ older: folder, newer: root, calmMs: 10_000, log: write })
  if (problems.length === 0) return write("Passed.")
  for (const problem of problems) write(`Failed: ${problem}`)
  return yield* Effect.fail("failed")
})

NodeRuntime.runMain(Effect.scoped(upgrade), { disableErrorReporting: true })
