import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { eventTypes, type NewEvent, proposalType } from "../../src/event/DomainEvent.ts"
import { eventDataSchemas } from "../../src/event/eventData.ts"
import { parseEventTypes } from "../../src/event/ListEvents.ts"
import { eventsOfLoan } from "../../src/origination/eventsOfLoan.ts"
import { eventsOfPartner } from "../../src/partner/PartnerDetail.ts"
import { eventsOfUser } from "../../src/user/UserDetail.ts"
import { completeKyc, newApplication } from "../loan/examples.ts"
import { histories, playHistory, startTimes } from "../loan/randomHistories.ts"

const { customer } = newApplication()
const { address, bank, pix, ...plain } = completeKyc

/** The personal values of the examples: every text of the customer and the KYC. */
const personal = [customer, plain, address, bank, pix].flatMap((record) =>
  Object.values(record ?? {}).filter((value): value is string => typeof value === "string" && value.length > 6)
)

/** The problem with the data of an event by the schema of its kind of record; undefined if it is valid. */
const problemOf = ({ data, subject: { kind }, type }: NewEvent): string | undefined =>
  Result.match(Schema.decodeUnknownResult(Schema.toType(eventDataSchemas[kind]), { onExcessProperty: "error" })(data), {
    onSuccess: () => undefined,
    onFailure: (error) => `${type}: ${String(error)}`
  })

describe("the events of a loan", () => {
  it("EVENT-01 name every status of the proposal once and in order, every step of the application, and no personal data", () => {
    fc.assert(
      fc.property(startTimes, histories, (begins, history) => {
        const steps = playHistory(begins, history)
        const events: ReadonlyArray<NewEvent> = steps.flatMap(({ before, decided }) =>
          Result.isSuccess(decided) ? eventsOfLoan(before, decided.success) : []
        )
        const types = events.map(({ type }) => type)
        const last = steps.at(-1)?.after
        const statuses = last?.proposal?.status_history.map(({ status }) => proposalType(status)) ?? []
        assert.deepStrictEqual(
          types.filter((type) => type.startsWith("proposal.") && type !== "proposal.updated"),
          statuses
        )
        for (const { after, before, decided } of steps) {
          const caused = Result.isSuccess(decided) ? eventsOfLoan(before, decided.success) : []
          // A change that a caller can see has an event, and nothing else has one.
          assert.strictEqual(caused.length > 0, after.updated_at !== before.updated_at || isVisible(before, after))
          for (const { subject: { version } } of caused) assert.isAtMost(version ?? 0, after.version + 100)
        }
        assert.deepStrictEqual(events.flatMap((event) => problemOf(event) ?? []), [])
        const text = JSON.stringify(events)
        for (const value of personal) assert.notInclude(text, value)
      }),
      { numRuns: 300 }
    )
  })
})

const isVisible = (
  before: { readonly version: number; readonly proposal: { readonly invisible_events: number } | null },
  after: { readonly version: number; readonly proposal: { readonly invisible_events: number } | null }
): boolean =>
  after.version - (after.proposal?.invisible_events ?? 0) > before.version - (before.proposal?.invisible_events ?? 0)

describe("the events of a partner", () => {
  it("EVENT-02 there is one for each thing that happened", () => {
    const partner = { partner_id: "p", parent_id: "a", status: "active", name: "One", metadata: {} } as never
    const typesOf = (change: object) =>
      eventsOfPartner(partner, { ...partner as object, ...change } as never).map(({ type }) => type)
    assert.deepStrictEqual(eventsOfPartner(null, partner).map(({ type }) => type), ["partner.created"])
    assert.deepStrictEqual(eventsOfPartner(partner, null).map(({ type }) => type), ["partner.deleted"])
    assert.deepStrictEqual(typesOf({}), [])
    assert.deepStrictEqual(typesOf({ name: "Two" }), ["partner.updated"])
    assert.deepStrictEqual(typesOf({ parent_id: "b" }), ["partner.moved"])
    assert.deepStrictEqual(typesOf({ status: "inactive" }), ["partner.deactivated"])
    assert.deepStrictEqual(typesOf({ parent_id: "b", name: "Two" }), ["partner.moved", "partner.updated"])
  })
})

describe("the events of a user", () => {
  it("EVENT-03 there is one for a creation, a change or a deletion, and it names no person", () => {
    const user = {
      user_id: "u",
      partner_id: "p",
      status: "ACTIVE",
      name: "Maria da Conceição",
      email: "maria@example.com",
      group: { slug: "viewer" }
    } as never
    for (
      const [before, after, type] of [
        [null, user, "user.created"],
        [user, user, "user.updated"],
        [user, null, "user.deleted"]
      ] as const
    ) {
      assert.deepStrictEqual(eventsOfUser(before, after), [{
        type,
        subject: { kind: "user", id: "u", version: null },
        data: { user_id: "u", partner_id: "p", status: "ACTIVE", group: "viewer" }
      }])
    }
  })
})

describe("a list of event types", () => {
  it("EVENT-04 names types and groups; an unknown name is refused", () => {
    assert.deepStrictEqual(
      parseEventTypes("proposal.paid, partner.moved,"),
      Result.succeed(["proposal.paid", "partner.moved"] as const)
    )
    assert.deepStrictEqual(
      parseEventTypes("user.*,user.created"),
      Result.succeed(["user.created", "user.updated", "user.deleted"] as const)
    )
    assert.deepStrictEqual(parseEventTypes(""), Result.succeed(undefined))
    for (const text of ["proposal", "proposal.", "*", ".*", "loan.paid", "proposal.paid;user.*"]) {
      const refused = parseEventTypes(text)
      const allowed = String(Result.isFailure(refused) && refused.failure.params?.["allowed"]).split(", ")
      assert.includeMembers(allowed, [...eventTypes, "user.*", "proposal.*"], text)
    }
    for (const type of eventTypes) assert.deepStrictEqual(parseEventTypes(type), Result.succeed([type]))
  })
})
