import { type Disbursement, emptyKyc } from "@lastro/domain/kyc"
import { type ContractSubmission, findOffer, type LenderContract, openApplication } from "@lastro/domain/loan"
import { type LenderOffer } from "@lastro/domain/offer"
import { Result } from "effect"
import * as fc from "fast-check"
import { contractState } from "../offers/contractState.ts"
import { offeredFor } from "../offers/offeredFor.ts"
import { type OfferedFor } from "../offers/offerWithNet.ts"
import { quotationFor } from "../offers/quotationFor.ts"
import { contractedApplication, opening, proposal } from "./histories.ts"
import { lenderStatus, wish } from "./historyInputs.ts"
import { customer } from "./kyc.ts"
import { metadata } from "./metadata.ts"
import { lenderTable } from "./quotations.ts"

/** Disbursements to PIX keys and bank accounts. */
export const disbursement: fc.Arbitrary<Disbursement> = proposal.map(({ disbursement }) => disbursement)

/** Contracts at a lender, in every status. */
export const lenderContract: fc.Arbitrary<LenderContract> = fc.record({
  reference: fc.uuid({ version: 7 }).map((id) => `contract-${id}`),
  status: lenderStatus,
  disbursement_attempt: fc.integer({ min: 1, max: 3 })
}).map((contract) => ({ ...contract, ...contractState(contract.status) }))

/** Submissions of contracts to a lender. */
export const contractSubmission: fc.Arbitrary<ContractSubmission> = contractedApplication.map((application) => ({
  proposal_id: application.proposal.proposal_id,
  application_id: application.application_id,
  accepted_at: application.proposal.created_at,
  acceptance: application.proposal.acceptance,
  origin: null,
  offer: Result.getOrThrow(findOffer(application, application.proposal.offer_id)).offer,
  customer: application.customer,
  kyc: application.kyc ?? emptyKyc,
  disbursement: application.proposal.disbursement
}))

/** Request bodies that create an application, in canonical form. Optional fields are absent or null. */
export const createApplicationBody = fc.tuple(
  fc.record({ external_id: fc.nat({ max: 9_999 }).map((number) => `loan-${number}`), customer, metadata }),
  wish
).map(([body, { desired_amount, max_installments }]) => ({
  ...body,
  ...(max_installments === null ? {} : { max_installments }),
  desired_amount: desired_amount === null ? null : desired_amount / 100
}))

/** Request bodies that accept an offer, with and without the evidence of consent (`ip`, `user_agent`). */
export const acceptOfferBody = fc.record(
  {
    terms_accepted: fc.constant(true as const),
    ip: fc.oneof(fc.ipV4(), fc.constant(null)),
    user_agent: fc.oneof(fc.constantFrom("Example/1.0", "Mozilla/5.0"), fc.constant(null))
  },
  { requiredKeys: ["terms_accepted"] }
)

/** An offer, and the request for which it was priced. */
export interface OfferExample {
  readonly offered: OfferedFor
  readonly offer: LenderOffer
}

/** Lender offers, priced by the domain, that comply with the policy and with their request. */
export const lenderOffer: fc.Arbitrary<OfferExample> = fc.tuple(opening, lenderTable)
  .map(([opening, table]): ReadonlyArray<OfferExample> => {
    const offered = offeredFor(openApplication(opening))
    const quotation = quotationFor({ kind: "PRICED", tables: [{ ...table, spoiled: null }] }, offered, opening.at)
    return quotation.kind === "PRICED" ? quotation.offers.map((offer) => ({ offered, offer })) : []
  })
  .filter((examples): examples is readonly [OfferExample] => examples.length === 1)
  .map(([example]) => example)
