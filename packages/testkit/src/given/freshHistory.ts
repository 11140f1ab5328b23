import { type PartnerId } from "@lastro/domain"
import { Effect } from "effect"
import { type History } from "../arbitraries/histories.ts"
import { freshId } from "./freshId.ts"
import { proposalNumberOf } from "./proposalNumberOf.ts"

const uuids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g

/**
 * The same history, of a partner, under ids and a proposal number that are in no database yet: an example that is tried again
 * while it is made smaller does not meet itself.
 */
export const freshHistory = Effect.fnUntraced(function*(history: History, partner_id: PartnerId) {
  const text = JSON.stringify(history)
  const ids = new Map<string, string>([[history.opening.partner_id, partner_id]])
  for (const id of new Set(text.match(uuids))) if (!ids.has(id)) ids.set(id, yield* freshId)
  const number = history.application.proposal?.number
  const fresh = proposalNumberOf(yield* freshId)
  const renamed = text.replace(uuids, (id) => ids.get(id) ?? id)
  return JSON.parse(
    number === undefined ? renamed : renamed.replaceAll(`"number":"${number}"`, `"number":"${fresh}"`)
  ) as History
})
