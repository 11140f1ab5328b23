import { Context, type Effect, type Option } from "effect"
import { type InScope } from "../../hierarchy/Scope.ts"
import { type Application } from "../application/Application.ts"
import { type KycValues } from "../kyc/KycValues.ts"

/**
 * Where suggestions for a KYC come from: what the platform knows of the same person, or a bureau. Its answer depends on the
 * application alone, never on who reads it.
 */
export class KycSuggestions extends Context.Service<KycSuggestions, {
  /**
   * The newest KYC that was submitted for the same CPF in another application of the application's own partner or of one
   * below it; never of a sibling's, an ancestor's or a stranger's.
   */
  readonly suggest: (application: InScope<Application>) => Effect.Effect<Option.Option<KycValues>>
}>()("@lastro/domain/fgts/origination/KycSuggestions") {}
