import { type EventEntry, EventLog } from "@lastro/domain/event"
import { type PartnerDetail } from "@lastro/domain/partner"
import { Effect } from "effect"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { atomically } from "../suite/transactions.ts"

/** Builds an event of a partner with a new id. `fields` overrides the defaults. */
export const anEvent = Effect.fnUntraced(function*({ partner_id }: PartnerDetail, fields: Partial<EventEntry> = {}) {
  const entry: EventEntry = {
    event_id: yield* freshId,
    type: "partner.updated",
    occurred_at: exampleInstant,
    partner_id,
    subject: { kind: "partner", id: partner_id, version: null },
    data: { partner_id, status: "active", amount: 12.5, count: 3, is_first: true, parent_id: null },
    request_id: "req-1",
    actor: { kind: "user", id: "u-1" },
    ...fields
  }
  return entry
})

/** Stores events of a partner in one unit of work, and returns their ids. */
export const storeEvents = Effect.fnUntraced(
  function*(partner: PartnerDetail, count = 1, fields?: Partial<EventEntry>) {
    const entries = yield* Effect.replicateEffect(anEvent(partner, fields), count)
    yield* atomically(EventLog.use((log) => log.append(entries)))
    return entries.map(({ event_id }) => event_id)
  }
)
