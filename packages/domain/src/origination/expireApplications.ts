import { Effect, Option } from "effect"
import { appendEvents } from "../event/recordChange.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { applicationExpired } from "./eventsOfLoan.ts"

/** Maximum number of quotes in one call. */
export const maxExpired = 500

/** Handles one quote whose offers have expired. Returns false if there is none. */
const expireOne = Effect.gen(function*() {
  const at = yield* currentTimestamp
  const taken = yield* (yield* ApplicationRepository).takeExpired(at)
  if (Option.isNone(taken)) return false
  const { application, quote_id } = taken.value
  const event = applicationExpired(application, quote_id, at)
  if (event !== undefined) {
    const caller = { subject: "lastro", kind: "system" } as const
    yield* appendEvents({ at, caller, partner_id: application.partner_id, events: [event] })
  }
  return true
})

/**
 * Appends `application.expired` for each quote whose offers have all expired (EVENT-08), each in a transaction of its
 * own. Handles up to 500 quotes and returns their number. Several nodes can run it concurrently. Nodes run it every 5
 * seconds, in the background.
 */
export const expireApplications = Effect.fn("expireApplications")(function*() {
  const { atomically } = yield* UnitOfWork
  let count = 0
  while (count < maxExpired && (yield* atomically(expireOne))) count++
  return count
})
