import { isSamePerson } from "@lastro/domain/kyc"
import { KycSuggestions } from "@lastro/domain/origination"
import { Effect, Layer, Option } from "effect"
import { isWithin } from "../hierarchy/naiveForest.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { parentsOf } from "./MemoryState.ts"

/** In-memory `KycSuggestions`, computed from the stored applications. */
export const layer = Layer.effect(
  KycSuggestions,
  Effect.map(MemoryDatabase, ({ state }) =>
    KycSuggestions.of({
      suggest: ({ record: { application_id, customer, partner_id } }) =>
        Effect.map(state, (now) => {
          const parents = parentsOf(now)
          const submitted = Array.from(now.applications.values()).filter(({ application }) =>
            application.application_id !== application_id && isSamePerson(application.customer, customer) &&
            application.kyc !== null && isWithin(parents, partner_id, application.partner_id)
          )
          const newest = submitted.toSorted((one, other) => (one.kyc_at ?? "") < (other.kyc_at ?? "") ? 1 : -1)[0]
          return Option.fromNullishOr(newest?.application.kyc)
        })
    }))
)
