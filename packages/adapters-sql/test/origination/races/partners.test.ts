import { assert, it } from "@effect/vitest"
import { deletePartner, type PartnerDetail } from "@lastro/domain/partner"
import { aCustomer } from "@lastro/testkit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { acceptAndLog, createAndLog, requoteAndLog } from "./AnswerLog.ts"
import { makeAcceptableApplication, makeAuthorizer, makeWriters } from "./fixtures.ts"
import { layerStartOnlyNode } from "./nodes.ts"
import { concurrently, raceFromStart } from "./race.ts"
import { repeatRace } from "./repeatRace.ts"

/** Reads whether a partner is deleted and how many unfinished applications it has. */
const readState = Effect.fnUntraced(function*({ partner_id }: PartnerDetail) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly deleted: boolean; readonly unfinished: number }>`
    select deleted_at is not null as deleted,
      (select count(*)::int from application where partner_id = partner.id and unfinished) as unfinished
    from partner where id = ${partner_id}`
  return found
})

/** Reads the latest audit actions on a partner, oldest first. */
const readLatestActions = Effect.fnUntraced(function*({ partner_id }: PartnerDetail, many: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly action: string }>`
    select action from audit where partner_id = ${partner_id} order by position desc limit ${many}`
  return rows.map(({ action }) => action).toReversed()
})

/** Deletes a partner as a client of the root. */
const deleteAsRoot = (partner: PartnerDetail, root: PartnerDetail) =>
  Effect.flatMap(
    makeAuthorizer(root, root),
    (authorizeFor) => deletePartner(authorizeFor("partners:write"), partner.partner_id)
  )

it.layer(layerStartOnlyNode, { excludeTestServices: true, timeout: "1 minute" })("deleting a partner", (it) => {
  it.effect("T14 T15 either the deletion of a partner or the applications opened for it succeed", () =>
    repeatRace(makeWriters, function*({ partner, root, writers }, round) {
      const customer = yield* aCustomer()
      const opening = createAndLog(writers[1], { external_id: "loan-1", customer, partner_id: partner.partner_id })
      const many = 1 + round % 3
      const enter = yield* raceFromStart(round, many + 1)
      const outcomes = yield* Effect.all([
        ...Array.from({ length: many }, () => enter(opening)),
        enter(deleteAsRoot(partner, root))
      ], concurrently)
      const deleted = (yield* readState(partner))?.deleted === true
      assert.deepStrictEqual(outcomes, [
        ...Array.from({ length: many }, () => deleted ? "ValidationFailed" : "done"),
        deleted ? "done" : "PartnerHasDependents"
      ])
      assert.deepStrictEqual(yield* readState(partner), { deleted, unfinished: deleted ? 0 : many })
    }))

  for (
    const [action, description] of [["application.requote", "requoted"], ["application.accept", "accepted"]] as const
  ) {
    it.effect(`T14 a partner is deleted before one of its applications is ${description} or not at all`, () =>
      repeatRace(makeAcceptableApplication, function*({ application_id, offers, partner, root, writers }, round) {
        const enter = yield* raceFromStart(round, 2)
        const outcomes = yield* Effect.all([
          action === "application.requote"
            ? enter(requoteAndLog(writers[1], application_id))
            : enter(acceptAndLog(writers[1], application_id, offers[0])),
          enter(deleteAsRoot(partner, root))
        ], concurrently)
        const deleted = (yield* readState(partner))?.deleted === true
        // A deleted partner gets no new quotes. An offer that was made before can still be accepted.
        const isRefused = deleted && action === "application.requote"
        assert.deepStrictEqual(outcomes, [
          isRefused ? "ApplicationNotQuotable" : "done",
          deleted ? "done" : "PartnerHasDependents"
        ])
        const actions = yield* readLatestActions(partner, 2)
        assert.deepStrictEqual(
          actions,
          isRefused
            ? ["application.kyc", "partner.delete"]
            : [deleted ? "partner.delete" : "application.kyc", action]
        )
        assert.deepStrictEqual(yield* readState(partner), { deleted, unfinished: isRefused ? 0 : 1 })
      }))
  }
})
