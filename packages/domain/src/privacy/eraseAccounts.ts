import { Effect } from "effect"
import { type NewEvent } from "../event/DomainEvent.ts"
import { recordChange } from "../event/recordChange.ts"
import { userAttempts } from "../identity/verifySecret.ts"
import { eventsOfPartner } from "../partner/PartnerDetail.ts"
import { eventsOfUser } from "../user/UserDetail.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { erasePartner, eraseUser } from "./eraseAccount.ts"
import { eraseAuditEntry } from "./eraseAudit.ts"
import { type DeletedRecords, PersonalDataStore } from "./PersonalDataStore.ts"

/**
 * Anonymises deleted users and partners, with their audit entries, stored responses and failed sign-ins. Stores an
 * audit entry with the given action for each. Call it in the transaction in which the records were read and locked.
 */
export const eraseAccounts = Effect.fnUntraced(function*(
  { partners, users }: DeletedRecords,
  at: Timestamp,
  action: "privacy.anonymise" | "privacy.erase"
) {
  const store = yield* PersonalDataStore
  const records: Array<
    { readonly id: string; readonly partner_id: PartnerId; readonly events: ReadonlyArray<NewEvent> }
  > = []
  for (const { user } of users) {
    const erased = eraseUser(user)
    yield* store.saveUser(erased, at)
    records.push({ id: user.user_id, partner_id: user.partner_id, events: eventsOfUser(user, erased) })
  }
  for (const { partner } of partners) {
    const erased = erasePartner(partner)
    yield* store.savePartner(erased, at)
    records.push({ id: partner.partner_id, partner_id: partner.partner_id, events: eventsOfPartner(partner, erased) })
  }
  if (records.length === 0) return
  const record_ids = records.map(({ id }) => id)
  yield* store.saveAudit((yield* store.auditOf(record_ids)).map(eraseAuditEntry))
  yield* store.deleteTraces({
    record_ids,
    references: [],
    partner_ids: records.map(({ partner_id }) => partner_id),
    usernames: users.map(({ user: { email } }) => userAttempts(email))
  })
  for (const { events, id, partner_id } of records) {
    yield* recordChange({ events, at, caller: null, action, subject_id: id, partner_id })
  }
})
