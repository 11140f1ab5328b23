import { type Effect } from "effect"
import { lenderCallback } from "../jobs/lenderCallback.ts"
import { type LenderCallback } from "../lender/LenderCallback.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Run } from "./Run.ts"

/** The ports that callbacks of the lender need. */
export type PortsOfLender = Effect.Services<ReturnType<typeof lenderCallback>>

/** Creates the functions that the lender calls. */
export const lenderFunctions = (run: Run<PortsOfLender>) => ({
  /**
   * Handles a callback of the lender. Pass the unchanged bytes of the body. The adapter authenticates the callback, and
   * its jobs run at once. Fails with NotFound if the layer has no lender with this name, and with CallbackRefused if
   * the callback does not come from the lender.
   */
  lenderCallback: (lender: string, callback: LenderCallback, options?: CallOptions) =>
    run(() => lenderCallback(lender, callback), options)
})

/** The function for callbacks of a lender. It takes no `Caller`, because the adapter authenticates the callback. */
export interface LenderFunctions extends ReturnType<typeof lenderFunctions> {}
