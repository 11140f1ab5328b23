import { randomness } from "@lastro/adapters-sql/seed"
import { priceOffer } from "@lastro/domain"
import { answerOf } from "../Answer.ts"
import { type Part, part } from "../Part.ts"
import { threeInstallments } from "./offers.ts"
import { priceByHand } from "./priceByHand.ts"

/** Pricing offers of three instalments. */
export const prices = (seed: number): Part =>
  part("pricing, three instalments", threeInstallments(2_000, randomness(seed, "offers")), {
    ours: priceOffer,
    byHand: priceByHand,
    comparable: answerOf
  })
