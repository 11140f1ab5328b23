import { type NewEvent } from "../event/DomainEvent.ts"
import { type UserListItem } from "./UserDetail.ts"

/**
 * Every change of a user appends one event: it was created, changed or deleted. A new password is a change.
 * @rule EVENT-03
 */
export const eventsOfUser = (before: UserListItem | null, after: UserListItem | null): ReadonlyArray<NewEvent> => {
  const user = after ?? before
  if (user === null) return []
  const what = before === null ? "created" : after === null ? "deleted" : "updated"
  return [{
    type: `user.${what}`,
    subject: { kind: "user", id: user.user_id, version: null },
    data: { user_id: user.user_id, partner_id: user.partner_id, status: user.status, group: user.group.slug }
  }]
}
