import { checkInvariants, checkWork } from "@lastro/adapters-sql"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { refused } from "./refused.ts"
import { withDatabase } from "./withPorts.ts"

/** Verifies the invariants of the stored data, and changes nothing. */
export const check = Command.make("check", {}, () =>
  Effect.gen(function*() {
    const findings = [...yield* checkInvariants, ...yield* checkWork]
    for (const { count, examples, invariant } of findings) {
      yield* Console.log(`Broken: ${invariant} (${count}, such as ${examples.join("; ")})`)
    }
    if (findings.length > 0) return yield* refused(`The database breaks ${findings.length} of its invariants.`)
    yield* Console.log("Every invariant holds.")
  }).pipe(withDatabase)).pipe(
    Command.withDescription("Verifies the invariants of the stored data; exits 1 with what it found")
  )
