import { Effect } from "effect"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { addMillis, currentTimestamp } from "../values/Timestamp.ts"
import { eraseAccounts } from "./eraseAccounts.ts"
import { type HeldPartner, type HeldUser, PersonalDataStore } from "./PersonalDataStore.ts"
import { defaultDeletedRetentionMs, isDeletionDue } from "./Retention.ts"

/** Maximum number of users, and of partners, that one call anonymises. */
const batchSize = 100

/**
 * Anonymises users and partners that were deleted at least `retentionMs` milliseconds ago (PRIV-06), up to 100 of each.
 * Stores an audit entry `privacy.anonymise` for each. Returns the number of anonymised records: call it again until it
 * is 0. Several nodes can run it concurrently. For background work only.
 */
export const anonymiseDeleted = Effect.fn("anonymiseDeleted")(function*(
  retentionMs: number = defaultDeletedRetentionMs
) {
  const batch = Effect.gen(function*() {
    const at = yield* currentTimestamp
    const found = yield* (yield* PersonalDataStore).findDeleted(addMillis(at, -retentionMs), batchSize)
    const isDue = ({ deleted_at }: HeldPartner | HeldUser) =>
      deleted_at !== null && isDeletionDue(deleted_at, at, retentionMs)
    const due = { users: found.users.filter(isDue), partners: found.partners.filter(isDue) }
    yield* eraseAccounts(due, at, "privacy.anonymise")
    return due.users.length + due.partners.length
  })
  return yield* (yield* UnitOfWork).atomically(batch)
})
