import { type LenderOffer, opened } from "@lastro/domain"
import * as fc from "fast-check"
import { offeredFor } from "../lender/offeredFor.ts"
import { type OfferedFor } from "../lender/offerWithNet.ts"
import { opening } from "./histories.ts"
import { lenderTable, quotationFor } from "./quotations.ts"

/** An offer, and what it was priced for. */
export interface OfferExample {
  readonly offered: OfferedFor
  readonly offer: LenderOffer
}

/** Offers that are priced for real, and lawful for what they were asked for. */
export const lenderOffer: fc.Arbitrary<OfferExample> = fc.tuple(opening, lenderTable)
  .map(([opening, table]): ReadonlyArray<OfferExample> => {
    const offered = offeredFor(opened(opening))
    const quotation = quotationFor({ kind: "PRICED", tables: [{ ...table, spoiled: null }] }, offered, opening.at)
    return quotation.kind === "PRICED" ? quotation.offers.map((offer) => ({ offered, offer })) : []
  })
  .filter((examples): examples is readonly [OfferExample] => examples.length === 1)
  .map(([example]) => example)
