import { Context, type Effect, type Option } from "effect"
import { type InScope } from "../hierarchy/Scope.ts"
import { type KycValues } from "../kyc/KycValues.ts"
import { type Application } from "../loan/Application.ts"

/**
 * Suggests KYC values from stored data of the same person, or from a credit bureau. The suggestion depends only on the
 * application, never on the caller.
 */
export class KycSuggestions extends Context.Service<KycSuggestions, {
  /**
   * Returns the newest KYC submitted for the same person in another application of the same partner or of its
   * descendants. The person is the same if both the CPF and the birth date of the customers are equal. KYC of other
   * partners is never returned.
   */
  readonly suggest: (application: InScope<Application>) => Effect.Effect<Option.Option<KycValues>>
}>()("@lastro/domain/origination/KycSuggestions") {}
