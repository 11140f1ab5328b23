import { Effect } from "effect"
import { noExits } from "../loan/LenderContract.ts"
import { CallbackRefused } from "./LenderCallback.ts"
import { LenderUnsupported } from "./LenderFailures.ts"

const unsupported = () => Effect.fail(new LenderUnsupported())

/**
 * The methods of an adapter whose lender supports no cancellation, no refund, no new signature links and no callbacks.
 * Spread them into the adapter.
 */
export const withoutExits = {
  exits: Effect.succeed(noExits),
  cancel: unsupported,
  refund: unsupported,
  signatureLink: unsupported,
  callback: () => Effect.fail(new CallbackRefused({ detail: "this lender makes no callbacks" }))
}
