import { type EventType, type NewEvent } from "../event/DomainEvent.ts"
import { isSame } from "../input/json.ts"
import { type PartnerDetail } from "./PartnerDetail.ts"

/**
 * Every change of a partner appends one event for each thing that happened: it was created or deleted, it moved, it was
 * activated or deactivated, or other fields changed.
 * @rule EVENT-02
 */
export const eventsOfPartner = (
  before: PartnerDetail | null,
  after: PartnerDetail | null
): ReadonlyArray<NewEvent> => {
  const partner = after ?? before
  if (partner === null) return []
  const happened = (type: EventType): NewEvent => ({
    type,
    subject: { kind: "partner", id: partner.partner_id, version: null },
    data: { partner_id: partner.partner_id, parent_id: partner.parent_id, status: partner.status }
  })
  if (before === null) return [happened("partner.created")]
  if (after === null) return [happened("partner.deleted")]
  const { parent_id, status } = after
  const others = { ...before, parent_id, status }
  return [
    ...(before.parent_id === parent_id ? [] : [happened("partner.moved")]),
    ...(before.status === status ? [] : [happened(`partner.${status === "active" ? "activated" : "deactivated"}`)]),
    ...(isSame({ ...others }, { ...after }) ? [] : [happened("partner.updated")])
  ]
}
