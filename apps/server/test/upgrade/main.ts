import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { root } from "../running/lastro.ts"
import { checkOutVersion } from "./checkedOutVersion.ts"
import { runUpgrade } from "./runUpgrade.ts"

const write = (line: string): void => void process.stdout.write(`${line}\n`)

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
