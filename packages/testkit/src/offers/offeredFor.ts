import { type Application, latestQuote } from "@lastro/domain/loan"
import { policyOn, type QuoteWish } from "@lastro/domain/offer"
import { saoPauloDate } from "@lastro/domain/values"
import { type OfferedFor } from "./offerWithNet.ts"

/** Returns the pricing inputs of the latest quote of an application. */
export const offeredFor = (application: Application): OfferedFor & { readonly wish: QuoteWish } => {
  const { created_at, wish } = latestQuote(application)
  const released_on = saoPauloDate(created_at)
  return { released_on, policy: policyOn(released_on), customer: application.customer, wish }
}
