import { Effect, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type PartnerId } from "../values/ids.ts"
import { PartnerRepository } from "./PartnerRepository.ts"

/** Returns a partner in the caller's subtree. */
export const getPartner = (allowed: Allowed<"partners:read">, id: PartnerId) =>
  PartnerRepository.use(({ find }) =>
    Effect.flatMap(
      find(scopeOf(allowed), id),
      (found) => Effect.fromResult(Result.map(judgeFound(found), ({ record }) => record))
    )
  )
