import { timestampOf } from "@lastro/domain/values"
import { Clock, Effect } from "effect"
import { listAt, textAt } from "./json.ts"
import { type SendCall } from "./qitechCalls.ts"

const hourMs = 3_600_000

/**
 * Maximum age in milliseconds of the events that a query requests. QI Tech limits the time range to 14 days. One hour
 * is subtracted, because the range ends half an hour in the future.
 */
const longestRangeMs = 14 * 24 * hourMs - hourMs

/** Maximum number of callbacks that one poll requests again. The newest ones are sent last. */
const maxResent = 3

const seconds = (millis: number): string => timestampOf(millis).replace(/\.\d{3}Z$/, "Z")

/**
 * Lists the events of a balance request or a debt since an instant, and requests their callbacks again. The list does
 * not contain the content of the callbacks. A failure is only logged, because the next poll tries again.
 */
export const resendCallbacks = (send: SendCall, origin_key: string, since: number): Effect.Effect<void> =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const query = new URLSearchParams({
      origin_key,
      start_datetime: seconds(Math.max(since - hourMs, now - longestRangeMs)),
      end_datetime: seconds(now + hourMs / 2)
    })
    const answer = yield* send({ operation: "events", method: "GET", path: `/notification/events?${query}` })
    const callbacks = listAt(answer, "data").flatMap((event) =>
      listAt(event, "callbacks").flatMap((callback) => {
        const event_key = textAt(event, "event_key")
        const callback_key = textAt(callback, "callback_key")
        return event_key === null || callback_key === null ? [] : [{ event_key, callback_key }]
      })
    )
    yield* Effect.forEach(
      callbacks.slice(-maxResent),
      (json) => send({ operation: "resend", method: "PATCH", path: "/notification/events", json }),
      { discard: true }
    )
  }).pipe(
    Effect.catch((failure) =>
      Effect.annotateLogs(
        Effect.logWarning("missed callbacks of QI Tech were not requested again; retrying at the next poll"),
        {
          reason: failure._tag === "LenderUnavailable"
            ? failure.detail
            : `${failure.operation}: status ${failure.status}`
        }
      )
    )
  )
