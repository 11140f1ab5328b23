import { Context, Effect, Option, Schema } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { recordAudit } from "../audit/recordAudit.ts"
import { type InScope, judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { FgtsKyc, fgtsKyc } from "../kyc/FgtsKyc.ts"
import { emptyKyc, type KycValues } from "../kyc/KycValues.ts"
import { isOwnKyc, prefill } from "../kyc/prefill.ts"
import { type Application, recordingTime } from "../loan/Application.ts"
import { NextAction, nextAction } from "../loan/nextAction.ts"
import { withRequirementsAt } from "../loan/quoteParts.ts"
import { type ApplicationId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"

/** The KYC of an application in a response, with the caller's next action. */
export const FgtsKycAnswer = Schema.Struct({
  ...FgtsKyc.fields,
  next_action: NextAction.annotateKey({ readOnly: true })
}).annotate({ identifier: "FgtsKyc", description: "KYC data of the customer. Unknown values are null." })
export interface FgtsKycAnswer extends Schema.Schema.Type<typeof FgtsKycAnswer> {}

export const kycAnswer = (application: Application, suggested: KycValues, clock: Timestamp): FgtsKycAnswer => {
  const at = recordingTime(application, clock)
  return {
    ...fgtsKyc(withRequirementsAt(application, at), suggested),
    next_action: nextAction(application, at)
  }
}

/**
 * A read of the KYC stores an audit entry with the caller and the application, and without any value. If the KYC has no
 * value, nothing is disclosed and no entry is stored. If the entry cannot be stored, the read fails.
 *
 * Source: LGPD (Lei 13.709/2018), art. 6, X and art. 37.
 * @rule PRIV-12
 */
export const disclosesKyc = (kyc: FgtsKyc): boolean => kyc.status !== "EMPTY" && kyc.cpf !== null

/**
 * Returns the KYC of an application in the caller's subtree, with suggested values before the first submission. Stores
 * an audit entry and nothing else.
 */
export const getKyc = Effect.fnUntraced(function*(allowed: Allowed<"kyc:read">, id: ApplicationId) {
  const { caller } = allowed
  const found = yield* (yield* ApplicationRepository).find(scopeOf(allowed), id)
  const application = yield* Effect.fromResult(judgeFound(found))
  const { application_id: subject_id, partner_id } = application.record
  const at = yield* currentTimestamp
  const kyc = kycAnswer(application.record, yield* suggestKyc(application), at)
  if (disclosesKyc(kyc)) {
    yield* recordAudit({ at, caller, action: "application.kyc_read", subject_id, partner_id })
  }
  return kyc
})

/** Returns the suggested KYC of an application. */
export const suggestKyc = Effect.fnUntraced(function*(application: InScope<Application>) {
  if (application.record.kyc !== null || application.record.erased_at !== null) return emptyKyc
  const known = yield* (yield* KycSuggestions).suggest(application)
  const { customer } = application.record
  // The values can come from a credit bureau, so check again that they belong to this person.
  return prefill(customer, Option.getOrElse(Option.filter(known, (kyc) => isOwnKyc(customer, kyc)), () => emptyKyc))
})

/**
 * Suggests KYC values from stored data of the same person, or from a credit bureau. The suggestion depends only on the
 * application, not on the caller.
 */
export class KycSuggestions extends Context.Service<KycSuggestions, {
  /**
   * Returns the newest KYC submitted for the same person in another application of the same partner or of its
   * descendants. The person is the same if both the CPF and the birth date of the customers are equal. KYC of other
   * partners is never returned.
   */
  readonly suggest: (application: InScope<Application>) => Effect.Effect<Option.Option<KycValues>>
}>()("@lastro/domain/origination/GetKyc/KycSuggestions") {}
