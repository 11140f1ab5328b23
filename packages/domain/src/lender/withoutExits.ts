import { Effect } from "effect"
import { noExits } from "../loan/LenderContract.ts"
import { CallbackRefused } from "./LenderCallback.ts"
import { LenderUnsupported } from "./LenderFailures.ts"

const unsupported = () => Effect.fail(new LenderUnsupported())

/**
 * The methods of a lender that offers no cancellation, no refund and no new signature links, and makes no callbacks.
 * Spread it into the adapter of such a lender.
 */
export const withoutExits = {
  exits: Effect.succeed(noExits),
  cancel: unsupported,
  refund: unsupported,
  signatureLink: unsupported,
  callback: () => Effect.fail(new CallbackRefused({ detail: "this lender makes no callbacks" }))
}
