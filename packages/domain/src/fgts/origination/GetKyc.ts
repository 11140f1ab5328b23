import { Effect, Option } from "effect"
import { type InScope, judgeFound, scopeOf } from "../../hierarchy/Scope.ts"
import { type ApplicationId } from "../../id/ids.ts"
import { type Allowed } from "../../identity/Authorization.ts"
import { type Application } from "../application/Application.ts"
import { fgtsKyc } from "../kyc/FgtsKyc.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { isOwnKyc, prefill } from "../kyc/prefill.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { KycSuggestions } from "./KycSuggestions.ts"

/** Returns the KYC of an application in the caller's subtree, pre-filled before the first submission. Stores nothing. */
export const getKyc = Effect.fn("getKyc")(function*(allowed: Allowed<"kyc:read">, id: ApplicationId) {
  const found = yield* (yield* ApplicationRepository).find(scopeOf(allowed), id)
  const application = yield* Effect.fromResult(judgeFound(found))
  return fgtsKyc(application.record, yield* suggestKyc(application))
})

/** Returns the suggested KYC of an application. */
export const suggestKyc = Effect.fnUntraced(function*(application: InScope<Application>) {
  if (application.record.kyc !== null) return emptyKyc
  const known = yield* (yield* KycSuggestions).suggest(application)
  const { customer } = application.record
  // The suggestion may come from a bureau, so the person is checked here, too.
  return prefill(customer, Option.getOrElse(Option.filter(known, (kyc) => isOwnKyc(customer, kyc)), () => emptyKyc))
})
