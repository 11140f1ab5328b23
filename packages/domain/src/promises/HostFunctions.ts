import { Result } from "effect"
import { authorizeScope, type PasswordChangeRequired } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { type Unauthenticated } from "../identity/AccessClaims.ts"
import { callerAt, type HostPrincipal } from "../identity/HostPrincipal.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { listScope, scopeIncludes, type ScopeTooLarge } from "../partner/CallerScope.ts"
import { type PartnerTree } from "../ports/PartnerTree.ts"
import { type PartnerId } from "../values/ids.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Run } from "./Run.ts"

/** Options of `partnerIds`. */
export interface PartnerIdsOptions extends CallOptions {
  /** The maximum number of ids, up to 100 000. Default: 10 000. */
  readonly limit?: number | undefined
}

/**
 * The partners whose records a caller can access: its own partner and all descendants. Deleted partners are included,
 * because their records remain. Use the scope to protect your own rows that belong to partners.
 *
 * To filter a list in SQL, read the view `partner_ancestor`. It has one row for each partner and each of its ancestors,
 * the partner itself included. The parameter is `partner_id` of the scope:
 *
 * ```sql
 * select * from shop_order
 * where partner_id = any (array(select partner_id from lastro.partner_ancestor where ancestor_id = $1))
 * ```
 */
export interface CallerScope {
  /** The partner at the top of the subtree. */
  readonly partner_id: PartnerId
  /** Returns whether a partner is in the subtree now. False for an unknown or malformed id. */
  readonly includes: (partner_id: string, options?: CallOptions) => Promise<boolean>
  /**
   * Returns the ids of all partners in the subtree, in any order. Fails with ScopeTooLarge if there are more than
   * `limit`.
   */
  readonly partnerIds: (
    options?: PartnerIdsOptions
  ) => Promise<Result.Result<ReadonlyArray<PartnerId>, ScopeTooLarge>>
}

/** Creates the functions for host applications that authenticate and authorize their users themselves. */
export const hostFunctions = (run: Run<PartnerTree>): HostFunctions => ({
  callerAt: (partner_id, host, options) => run(() => callerAt(partner_id, host), options),
  scope: (caller) =>
    Result.map(authorizeScope(caller), (allowed): CallerScope => ({
      partner_id: caller.partner_id,
      includes: async (partner_id, options) =>
        Result.getOrThrow(await run(() => scopeIncludes(allowed, String(partner_id)), options)),
      partnerIds: ({ limit = 10_000, ...options } = {}) => run(() => listScope(allowed, limit), options)
    }))
})

/** The functions for host applications that authenticate and authorize their users themselves. */
export interface HostFunctions {
  /**
   * Returns the caller for a user of your program who acts for the partner `partner_id`. The user needs no record in
   * Lastro: you name the group, and optionally fewer permissions. Fails with Unauthenticated if the partner is unknown,
   * deleted or inactive, or has an inactive ancestor. Fails with ValidationFailed if a value of `host` is invalid. The
   * partner is checked now, not at each use, so call this function for each request.
   */
  readonly callerAt: (
    partner_id: string,
    host: HostPrincipal,
    options?: CallOptions
  ) => Promise<Result.Result<Caller, Unauthenticated | ValidationFailed>>
  /**
   * Returns the subtree that a caller can access, to protect your own rows. Fails with PasswordChangeRequired for a
   * caller with a temporary password. Throws a TypeError if the value is not a Caller. It does not read the database.
   */
  readonly scope: (caller: Caller) => Result.Result<CallerScope, PasswordChangeRequired>
}
