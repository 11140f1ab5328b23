import { callerAt } from "../identity/callerAt.ts"
import { type HostPrincipal } from "../identity/HostPrincipal.ts"
import { type PartnerTree } from "../ports/PartnerTree.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Run } from "./Run.ts"

/** Creates the functions for host applications that authenticate and authorize their users themselves. */
export const hostFunctions = (run: Run<PartnerTree>) => ({
  /**
   * Returns the caller for a user of your program who acts for the partner `partner_id`. The user needs no record in
   * Lastro: you name the group, and optionally fewer permissions. Fails with Unauthenticated if the partner is unknown,
   * deleted or inactive, or has an inactive ancestor, and with ValidationFailed if a value of `host` is invalid. The
   * partner is checked now and not at each use, so call this function for each request.
   */
  callerAt: (partner_id: string, host: HostPrincipal, options?: CallOptions) =>
    run(() => callerAt(partner_id, host), options)
})

/** The functions for host applications that authenticate and authorize their users themselves. */
export type HostFunctions = Readonly<ReturnType<typeof hostFunctions>>
