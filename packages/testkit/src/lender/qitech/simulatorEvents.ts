import { answered, refusedWith, type SimulatedAnswer } from "./SimulatedAnswer.ts"
import { type SimulatedRequest, type SimulatorState } from "./simulatorState.ts"

/** Lists the webhooks of a period. */
export const events = ({ webhooks }: SimulatorState, { url }: SimulatedRequest): SimulatedAnswer => {
  const { searchParams } = url
  const range = Date.parse(searchParams.get("end_datetime") ?? "") -
    Date.parse(searchParams.get("start_datetime") ?? "")
  return range > 14 * 86_400_000
    ? refusedWith(400, "NTF000001", "The time window must be at most 14 days.")
    : answered({ data: webhooks.list(searchParams), pagination: { current_page: 1, rows_per_page: 25 } })
}

/** Sends a webhook again. */
export const resend = ({ webhooks }: SimulatorState, { json }: SimulatedRequest): SimulatedAnswer => {
  const { callback_key, event_key } = json as { readonly callback_key?: unknown; readonly event_key?: unknown }
  return webhooks.resend(event_key, callback_key) ? answered({}) : refusedWith(404, "NTF000002", "No such callback.")
}
