import { assert, it } from "@effect/vitest"
import { deletePartner, type PartnerDetail } from "@lastro/domain"
import { aCustomer } from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { accepts, opens, requotes } from "./AnswerLog.ts"
import { givenAcceptable, givenWriters, somebody } from "./fixtures.ts"
import { layerPromising } from "./nodes.ts"
import { startingAtOnce, together } from "./race.ts"
import { byHand, inRounds } from "./repeatRace.ts"

/** How many applications of a partner wait for something, and whether it was deleted. */
const stateOf = Effect.fnUntraced(function*({ partner_id }: PartnerDetail) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly deleted: boolean; readonly unfinished: number }>`
    select deleted_at is not null as deleted,
      (select count(*)::int from application where partner_id = partner.id and unfinished) as unfinished
    from partner where id = ${partner_id}`
  return found
})

/** What was done last of what concerns a partner, in the order in which it was done. */
const lastDeeds = Effect.fnUntraced(function*({ partner_id }: PartnerDetail, many: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly action: string }>`
    select action from audit where partner_id = ${partner_id} order by position desc limit ${many}`
  return rows.map(({ action }) => action).toReversed()
})

/** Has a partner deleted by somebody above it. */
const deleting = (partner: PartnerDetail, root: PartnerDetail) =>
  Effect.flatMap(somebody(root, root), (may) => deletePartner(may("partners:write"), partner.partner_id))

it.layer(layerPromising, { excludeTestServices: true, timeout: "1 minute" })("a partner deleted", (it) => {
  it.effect("T14 T15 while applications are opened for it: one or the other", () =>
    inRounds(givenWriters, byHand, ({ partner, root, writers }, round) =>
      Effect.gen(function*() {
        const customer = yield* aCustomer()
        const opening = opens(writers[1], { external_id: "loan-1", customer, partner_id: partner.partner_id })
        const many = 1 + round % 3
        const racer = yield* startingAtOnce(round, many + 1)
        const outcomes = yield* Effect.all([
          ...Array.from({ length: many }, () => racer(opening)),
          racer(deleting(partner, root))
        ], together)
        const deleted = (yield* stateOf(partner))?.deleted === true
        assert.deepStrictEqual(outcomes, [
          ...Array.from({ length: many }, () => deleted ? "ValidationFailed" : "done"),
          deleted ? "done" : "PartnerHasDependents"
        ])
        assert.deepStrictEqual(yield* stateOf(partner), { deleted, unfinished: deleted ? 0 : many })
      })))

  for (
    const [action, bringsOn] of [["application.requote", "quoted anew"], ["application.accept", "accepted"]] as const
  ) {
    it.effect(`T14 while one of its applications is ${bringsOn}: before it, or not at all`, () =>
      inRounds(
        givenAcceptable,
        byHand,
        ({ application_id, offers, partner, root, writers }, round) =>
          Effect.gen(function*() {
            const racer = yield* startingAtOnce(round, 2)
            const outcomes = yield* Effect.all([
              action === "application.requote"
                ? racer(requotes(writers[1], application_id))
                : racer(accepts(writers[1], application_id, offers[0])),
              racer(deleting(partner, root))
            ], together)
            const deleted = (yield* stateOf(partner))?.deleted === true
            assert.deepStrictEqual(outcomes, ["done", deleted ? "done" : "PartnerHasDependents"])
            const deeds = yield* lastDeeds(partner, 2)
            assert.deepStrictEqual(deeds, deleted ? ["partner.delete", action] : ["application.kyc", action])
            assert.deepStrictEqual(yield* stateOf(partner), { deleted, unfinished: 1 })
          })
      ))
  }
})
