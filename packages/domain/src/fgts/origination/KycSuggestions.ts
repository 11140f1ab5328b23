import { Context, type Effect, type Option } from "effect"
import { type InScope } from "../../hierarchy/Scope.ts"
import { type Application } from "../application/Application.ts"
import { type KycValues } from "../kyc/KycValues.ts"

/**
 * Suggests KYC values from stored data of the same person, or from a bureau. The suggestion depends on the application only, never on
 * the reader.
 */
export class KycSuggestions extends Context.Service<KycSuggestions, {
  /**
   * Returns the newest submitted KYC of the same CPF from another application of the application's partner or its descendants; never
   * from other partners.
   */
  readonly suggest: (application: InScope<Application>) => Effect.Effect<Option.Option<KycValues>>
}>()("@lastro/domain/fgts/origination/KycSuggestions") {}
