import { Context } from "effect"

/**
 * True in a use case that joins a transaction of the host. Such a use case does not call the lender, so that the transaction holds no lock
 * during the call. `atomically` and `within` of `openLastro` provide it. Default: false.
 */
export const InTransaction = Context.Reference<boolean>("@lastro/domain/transaction/InTransaction", {
  defaultValue: () => false
})
