import { Effect, Option } from "effect"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { type PartnerId } from "../values/ids.ts"
import { parseId } from "../values/Uuid.ts"
import { type HostPrincipal, judgeHostPrincipal, parseHostPrincipal } from "./HostPrincipal.ts"

/**
 * Returns the caller for a user whom the host application has authenticated. The user needs no record in Lastro. Fails
 * with ValidationFailed for an invalid subject, group or permission. Fails with Unauthenticated if the partner is
 * unknown, deleted or inactive, or has an inactive ancestor.
 */
export const callerAt = Effect.fnUntraced(function*(partner_id: string, host: HostPrincipal) {
  const principal = yield* Effect.fromResult(parseHostPrincipal(host))
  const id = parseId<PartnerId>(String(partner_id))
  const place = Option.isNone(id) ? Option.none() : yield* (yield* PartnerTree).findPlace(id.value)
  return yield* Effect.fromResult(judgeHostPrincipal(principal, place))
})
