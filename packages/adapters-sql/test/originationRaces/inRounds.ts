import { assert } from "@effect/vitest"
import {
  type AuditEntry,
  type PartnerDetail,
  type ProposalId,
  type QuoteId,
  runQuote,
  submitContract,
  timestampOf
} from "@lastro/domain"
import { ScriptedLender } from "@lastro/testkit"
import { brokenRules, type Origination } from "@lastro/testkit/scenarios"
import { Effect, References } from "effect"
import { SqlClient } from "effect/sql"
import { rounds } from "../../../../test/rounds.ts"
import { applicationColumns, applicationOf, type ApplicationRow } from "../../src/applicationRow.ts"
import { checkInvariants, checkWork } from "../../src/index.ts"
import { until } from "../workflow/until.ts"
import { Witness } from "./Witness.ts"

/** What was promised and not done yet. */
const promised = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const quotes = yield* sql<{ readonly id: QuoteId }>`select id from quote where outcome = 'PENDING'`
  const proposals = yield* sql<{ readonly id: ProposalId }>`select id from proposal where status = 'SUBMITTING'`
  return { quotes: quotes.map(({ id }) => id), proposals: proposals.map(({ id }) => id) }
})

/** Does what was promised, all of which has to be on disk as work to be done. */
export const byHand = Effect.gen(function*() {
  assert.deepStrictEqual(yield* checkWork, [])
  const { proposals, quotes } = yield* promised
  yield* Effect.forEach(quotes, runQuote)
  yield* Effect.forEach(proposals, submitContract)
})

/** Waits for a node that does what was promised. */
export const byItself = until(
  "all that was promised is done",
  Effect.map(promised, ({ proposals, quotes }) => proposals.length + quotes.length === 0)
)

/** All there is to know of the origination in one tree, or in all of them. */
const originationOf = Effect.fnUntraced(function*(root: PartnerDetail | null) {
  const sql = yield* SqlClient.SqlClient
  const lender = yield* ScriptedLender
  const { told } = yield* Witness
  const inside = root === null ? sql`true` : sql`item.root_id = ${root.partner_id}`
  const rows = yield* sql<ApplicationRow>`
    select ${sql.literal(applicationColumns)} from application item where ${inside}`
  const audit = yield* sql<Omit<AuditEntry, "at"> & { readonly at: Date }>`
    select audit.* from audit join application item on audit.subject_id = item.id::text
    where ${inside} order by audit.position`
  const applications = rows.map(applicationOf)
  const ids: ReadonlySet<string> = new Set(applications.map(({ application_id }) => application_id))
  const isKnown = (id: string) => root === null || ids.has(id)
  const origination: Origination = {
    applications,
    audit: audit.map((entry) => ({ ...entry, at: timestampOf(entry.at.getTime()) })),
    contracts: (yield* lender.contracts).filter(({ application_id }) => isKnown(application_id)),
    calls: yield* lender.calls,
    told: told.filter((one) => isKnown(one._tag === "Quoting" ? one.application_id : one.answer.application_id))
  }
  return origination
})

/**
 * Repeats a race, each time in a tree of its own. After every round what was promised comes to its end, and no rule of
 * origination is broken in its tree; in the end none is broken anywhere, nor any other invariant of what is stored.
 */
export const inRounds = <G extends { readonly root: PartnerDetail }, E, R, E2, R2, E3, R3>(
  given: Effect.Effect<G, E, R>,
  done: Effect.Effect<void, E2, R2>,
  race: (given: G, round: number) => Effect.Effect<void, E3, R3>
) =>
  Effect.gen(function*() {
    for (let round = 0; round < rounds; round++) {
      const begun = yield* given
      yield* race(begun, round)
      yield* done
      assert.deepStrictEqual(brokenRules(yield* originationOf(begun.root)), [])
    }
    assert.deepStrictEqual(brokenRules(yield* originationOf(null)), [])
    assert.deepStrictEqual(yield* checkInvariants, [])
  }).pipe(
    // Lenders that do not answer are warned of.
    Effect.provideService(References.MinimumLogLevel, "Error")
  )
