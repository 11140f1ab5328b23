import { type PartnerDetail } from "@lastro/domain/partner"
import { freshHistory, saveApplication, storeApplication } from "@lastro/testkit"
import { type History } from "@lastro/testkit/arbitraries"
import { Effect } from "effect"

/** Stores an application of a partner, saves the state after each step of a history, and returns the last state. */
export const storeHistory = Effect.fnUntraced(function*(partner: PartnerDetail, history: History) {
  const { opening: { _tag, partner_id: _, ...opening }, steps } = yield* freshHistory(history, partner.partner_id)
  let state = yield* storeApplication(partner, opening)
  for (const { after } of steps) state = yield* saveApplication(state, after)
  return state
})
