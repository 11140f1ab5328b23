import { Effect, Option, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type SubmissionOrigin } from "../loan/ContractFacts.ts"
import { PartnerRepository } from "../partner/PartnerRepository.ts"
import { UserRepository } from "../user/UserRepository.ts"
import { parseCpf } from "../values/Cpf.ts"
import { type DocumentNumber } from "../values/DocumentNumber.ts"
import { type PartnerId, type UserId } from "../values/ids.ts"

/**
 * Returns the seller of a contract: the partner of the application, and the caller that accepts the offer for this
 * partner. Null if the partner was deleted.
 */
export const originOf = Effect.fnUntraced(function*(allowed: Allowed<"fgts:write">, partner_id: PartnerId) {
  const { caller } = allowed
  const scope = scopeOf(allowed)
  const partner = judgeFound(yield* (yield* PartnerRepository).find(scope, partner_id))
  if (Result.isFailure(partner)) return null
  const user = caller.kind === "user"
    ? Option.getSuccess(judgeFound(yield* (yield* UserRepository).find(scope, caller.subject as UserId)))
    : Option.none()
  const origin: SubmissionOrigin = {
    partner: { partner_id, document_number: partner.success.record.document_number as DocumentNumber },
    agent: {
      id: caller.subject,
      name: Option.getOrNull(Option.map(user, ({ record }) => record.name)),
      cpf: Option.getOrNull(Option.flatMap(user, ({ record }) => Option.getSuccess(parseCpf(record.cpf))))
    }
  }
  return origin
})
