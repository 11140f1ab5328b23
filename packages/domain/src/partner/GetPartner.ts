import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type PartnerId } from "../values/ids.ts"
import { PartnerRepository } from "./PartnerRepository.ts"

/** Returns a partner in the caller's subtree. */
export const getPartner = Effect.fnUntraced(function*(allowed: Allowed<"partners:read">, id: PartnerId) {
  const found = yield* (yield* PartnerRepository).find(scopeOf(allowed), id)
  return (yield* Effect.fromResult(judgeFound(found))).record
})
