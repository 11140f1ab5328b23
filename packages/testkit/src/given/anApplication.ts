import {
  type Application,
  type ApplicationId,
  type ApplicationOpened,
  opened,
  type PartnerId,
  type QuoteId
} from "@lastro/domain"
import { Effect } from "effect"
import { aCustomer } from "./aCustomer.ts"
import { exampleInstant } from "./aPartner.ts"
import { freshId } from "./freshId.ts"

/** The opening of an application for a partner, with fresh ids and a fresh customer; the fields given replace the example's. */
export const anOpening = (
  partner_id: PartnerId,
  fields: Partial<Omit<ApplicationOpened, "_tag" | "partner_id">> = {}
): Effect.Effect<ApplicationOpened> =>
  Effect.gen(function*() {
    return {
      _tag: "ApplicationOpened",
      at: exampleInstant,
      application_id: (yield* freshId) as ApplicationId,
      external_id: `loan-${yield* freshId}`,
      partner_id,
      created_by: yield* freshId,
      customer: yield* aCustomer(),
      quote_id: (yield* freshId) as QuoteId,
      wish: { max_installments: null, desired_amount: null },
      ...fields
    }
  })

/** An application that was just opened: its first quote is pending. */
export const anApplication = (
  partner_id: PartnerId,
  fields: Partial<Omit<ApplicationOpened, "_tag" | "partner_id">> = {}
): Effect.Effect<Application> => Effect.map(anOpening(partner_id, fields), opened)
