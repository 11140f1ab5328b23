import { Effect, Option } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { Refusal } from "../input/Refusal.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { type PartnerId } from "../values/ids.ts"
import { parseId } from "../values/Uuid.ts"

/** The subtree has more partners than the limit. */
export class ScopeTooLarge extends Refusal(
  "ScopeTooLarge",
  "The subtree has more partners than the limit. Join your rows with the view `partner_ancestor` instead.",
  ["limit"]
)<{ readonly limit: number }> {}

/** Returns whether a partner is in the caller's subtree. False for an unknown or malformed id. */
export const scopeIncludes = (allowed: Allowed<"scope:read">, partner_id: string) =>
  Option.match(parseId<PartnerId>(partner_id), {
    onNone: () => Effect.succeed(false),
    onSome: (id) => PartnerTree.use((tree) => tree.contains(scopeOf(allowed), id))
  })

/** The largest allowed `limit` of `listScope`. */
const highestLimit = 100_000

/**
 * Returns the ids of all partners in the caller's subtree. Fails with ScopeTooLarge if there are more than `limit`, and
 * dies with a RangeError if `limit` is not an integer from 1 to 100 000.
 */
export const listScope = (allowed: Allowed<"scope:read">, limit: number) => {
  if (!Number.isInteger(limit) || limit < 1 || limit > highestLimit) {
    return Effect.die(new RangeError(`\`limit\` must be an integer from 1 to ${highestLimit}, and is ${limit}.`))
  }
  return Effect.flatMap(
    PartnerTree.use((tree) => tree.list(scopeOf(allowed), limit + 1)),
    (ids) => ids.length > limit ? Effect.fail(new ScopeTooLarge({ limit })) : Effect.succeed(ids)
  )
}
