import { sandboxCpf } from "@lastro/domain/adapters"
import { type Customer, disbursementOf } from "@lastro/domain/kyc"
import { type LenderQuoteRequest } from "@lastro/domain/lender"
import { type ContractSubmission, type DisbursementResubmission } from "@lastro/domain/loan"
import { policyOn } from "@lastro/domain/offer"
import {
  type ApplicationId,
  calendarDate,
  centavos,
  type OfferId,
  type PartnerId,
  type ProposalId,
  type QuoteId,
  type Timestamp
} from "@lastro/domain/values"
import { aCompleteKyc } from "../builders/aCompleteKyc.ts"
import { offerWithNet } from "../offer/offerWithNet.ts"

const requested_at = "2026-12-01T15:00:00.000Z" as Timestamp
const released_on = calendarDate("2026-12-01")
const application_id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40" as ApplicationId
const policy = policyOn(released_on)

const customerOf = (digits: string): Customer => ({
  cpf: sandboxCpf(digits),
  birth_date: calendarDate("1990-08-20"),
  name: null,
  email: null,
  phone: null
})

/** Builds a quote request for a customer whose CPF ends in `digits`. `fields` overrides the defaults. */
export const aQuoteRequest = (digits: string, fields: Partial<LenderQuoteRequest> = {}): LenderQuoteRequest => ({
  application_id,
  partner_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f43" as PartnerId,
  quote_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f41" as QuoteId,
  number: 1,
  attempt: 1,
  requested_at,
  customer: customerOf(digits),
  released_on,
  policy,
  wish: { max_installments: null, desired_amount: null },
  lender_state: null,
  ...fields
})

/** The proposal id of the example requests in this file. */
export const exampleProposal = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f42" as ProposalId

/** Builds a contract submission for a customer whose CPF ends in `digits`. `fields` overrides the defaults. */
export const aSubmission = (digits: string, fields: Partial<ContractSubmission> = {}): ContractSubmission => {
  const request = aQuoteRequest(digits)
  const { customer } = request
  const kyc = aCompleteKyc().for(customer).build()
  const { table, terms } = offerWithNet(centavos(900_00), request)
  return {
    proposal_id: exampleProposal,
    application_id,
    accepted_at: requested_at,
    acceptance: { accepted_at: requested_at, ip: null, user_agent: null },
    offer: {
      table,
      terms,
      offer_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f43" as OfferId,
      policy: policy.version,
      expires_at: "2026-12-02T15:00:00.000Z" as Timestamp
    },
    customer,
    kyc,
    disbursement: disbursementOf(kyc),
    origin: null,
    ...fields
  }
}

/** Builds the request for the second payment of a contract. `fields` overrides the defaults. */
export const aResubmission = (
  reference: string,
  fields: Partial<DisbursementResubmission> = {}
): DisbursementResubmission => {
  const { disbursement, proposal_id } = aSubmission("00")
  return { proposal_id, reference, disbursement, disbursement_attempt: 2, requested_at, ...fields }
}
