import { assert, it } from "@effect/vitest"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type ProposalId } from "@lastro/domain/values"
import { recordContractStatus, saveApplication, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { checkInvariants } from "../../src/index.ts"
import repeats from "../../src/migrations/0009_repeats.ts"
import { postgres } from "../databases.ts"

const undo = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop index proposal_lender_reference`
  yield* sql`alter table proposal drop column reference_repeated`
  yield* sql`alter table refresh_token drop column spent_by`
})

const confirmed = { reference: "one" } as const

it.layer(postgres(), { excludeTestServices: true, timeout: "1 minute" })("the migration 0009", (it) => {
  it.effect("FGTS-27 keeps references that two proposals already have, and lets no third have one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* undo
      const root = yield* storeRootPartner()
      const [first, second, third] = yield* Effect.all([
        storeContractedApplication(root),
        storeContractedApplication(root),
        storeContractedApplication(root)
      ])
      const holding = yield* Effect.forEach(
        [first, second],
        (one) => saveApplication(one, recordContractStatus(one, "AWAITING_SIGNATURE", confirmed))
      )
      yield* sql.withTransaction(repeats)

      const { holderOfReference } = yield* ApplicationRepository
      const [oldest] = yield* sql<{ readonly id: ProposalId }>`
        select id from proposal where facts ->> 'reference' = 'one' order by created_at, id limit 1`
      assert.deepStrictEqual(yield* holderOfReference("one", "sandbox"), Option.some(oldest!.id))
      for (const one of holding) yield* saveApplication(one, recordContractStatus(one, "GUARANTEE_PENDING"))
      const repeated = yield* Effect.exit(
        saveApplication(third, recordContractStatus(third, "AWAITING_SIGNATURE", confirmed))
      )
      assert.isTrue(Exit.hasDies(repeated))
      assert.deepStrictEqual(yield* checkInvariants, [])
    }))
})
