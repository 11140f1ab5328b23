import {
  type AcceptFgtsOfferResponse,
  type FgtsApplication,
  type FgtsApplicationStatus,
  type FgtsKyc,
  type FgtsOffer,
  type FgtsQuote,
  type KycValues,
  type PublicProposalDetail,
  type RejectionReason
} from "@lastro/domain"
import { partner, user } from "./records.ts"

const installments: ReadonlyArray<typeof FgtsOffer.Encoded["installments"][number]> = [
  {
    number: 1,
    due_date: "2026-05-01",
    amount: 500,
    principal_amount: 478.77,
    interest_amount: 21.23,
    calendar_days: 88
  },
  {
    number: 2,
    due_date: "2027-05-01",
    amount: 500,
    principal_amount: 399.93,
    interest_amount: 100.07,
    calendar_days: 453
  },
  {
    number: 3,
    due_date: "2028-05-01",
    amount: 340,
    principal_amount: 227.05,
    interest_amount: 112.95,
    calendar_days: 819
  }
]

/** An offer as examples show it, priced as the sandbox lender does. */
export const offer: typeof FgtsOffer.Encoded = {
  offer_id: "0197f3a2-c283-74b5-8fb1-6273849506b7",
  status: "AVAILABLE",
  table: { code: "light", label: "Tabela Light" },
  gross_amount: 1340,
  principal_amount: 1105.75,
  iof_daily_amount: 22.22,
  iof_additional_amount: 4.2,
  iof_amount: 26.42,
  fee_amount: 10,
  net_amount: 1069.33,
  monthly_rate: 1.49,
  annual_rate: 19.42054,
  monthly_cet: 1.79,
  annual_cet: 23.77,
  installments,
  policy: "CCFGTS-1130/2025-1",
  expires_at: "2026-02-03T12:00:02.000Z"
}

/** Why a table gave no offer. */
const rejection: typeof RejectionReason.Encoded = {
  kind: "FINAL",
  code: "FEES_EXCEED_PRINCIPAL",
  message: "Costs exceed the financed value.",
  retryable: false,
  retry_at: null
}

/** A completed quote as examples show it. */
export const quote: typeof FgtsQuote.Encoded = {
  quote_id: "0197f3a2-b172-73a4-8ea0-516273849506",
  number: 1,
  status: "COMPLETED",
  offers: [offer],
  unpriced: [{ table: { code: "plus", label: "Tabela Plus" }, rejection }],
  rejection: null,
  created_at: "2026-02-02T12:00:00.000Z",
  completed_at: "2026-02-02T12:00:02.000Z"
}

/** A quote that is under way. */
export const pendingQuote: typeof FgtsQuote.Encoded = {
  ...quote,
  status: "PENDING",
  offers: [],
  unpriced: [],
  completed_at: null
}

/** A quoted application as examples show it. */
export const application: typeof FgtsApplication.Encoded = {
  application_id: "0197f3a2-a061-7293-8d9f-405162738495",
  external_id: "loan-4711",
  partner_id: partner.partner_id,
  created_by: user.user_id,
  status: "QUOTED",
  customer: {
    cpf: "11144477735",
    birth_date: "1990-05-17",
    name: "Ana Beatriz Lima",
    email: null,
    phone: "11987654321"
  },
  quote,
  kyc_complete: false,
  proposal_id: null,
  rejection: null,
  created_at: "2026-02-02T12:00:00.000Z",
  updated_at: "2026-02-02T12:00:02.000Z"
}

/** How the application of the examples stands. */
export const applicationStatus: typeof FgtsApplicationStatus.Encoded = {
  application_id: application.application_id,
  status: "QUOTED",
  quote_status: "COMPLETED",
  kyc_complete: false,
  next_action: "SUBMIT_KYC",
  version: 2,
  updated_at: application.updated_at
}

/** A complete KYC as examples show it. */
export const kycValues: typeof KycValues.Encoded = {
  name: "Ana Beatriz Lima",
  cpf: "11144477735",
  birth_date: "1990-05-17",
  gender: "F",
  civil_status: "SINGLE",
  mother_name: "Célia Lima",
  nationality: "Brasileira",
  document: { type: "RG", number: "123456789", issuer: "SSP", uf: "SP", issued_at: "2010-03-04" },
  email: "ana.lima@example.com",
  phone: "11987654321",
  is_pep: false,
  address: {
    zipcode: "01310100",
    uf: "SP",
    city: "São Paulo",
    neighborhood: "Bela Vista",
    street: "Avenida Paulista",
    number: "1578",
    complement: null
  },
  disbursement_method: "PIX",
  pix: { type: "EMAIL", key: "ana.lima@example.com" },
  bank: null
}

/** A complete KYC as it is answered. */
export const kyc: typeof FgtsKyc.Encoded = {
  complete: true,
  missing_fields: [],
  status: "COMPLETE",
  prefilled_fields: [],
  ...kycValues
}

/** What accepting an offer is answered with. */
export const accepted: typeof AcceptFgtsOfferResponse.Encoded = {
  application_id: application.application_id,
  offer_id: offer.offer_id,
  proposal_id: "0197f3a2-d394-75c6-80c2-738495a6b7c8",
  status: "CONTRACTING"
}

/** A proposal as examples show it. */
export const proposal: typeof PublicProposalDetail.Encoded = {
  proposal_id: accepted.proposal_id,
  number: "7K3Q0ZVM9T",
  product: "FGTS",
  status: "AWAITING_SIGNATURE",
  partner_id: partner.partner_id,
  created_by: user.user_id,
  external_id: application.external_id,
  customer: { name: "Ana Beatriz Lima", cpf: "11144477735" },
  loan: {
    gross_amount: offer.gross_amount,
    principal_amount: offer.principal_amount,
    net_amount: offer.net_amount,
    iof_amount: offer.iof_amount,
    fee_amount: offer.fee_amount,
    monthly_rate: offer.monthly_rate,
    annual_cet: offer.annual_cet,
    installments_count: 3,
    first_due_date: "2026-05-01",
    last_due_date: "2028-05-01"
  },
  created_at: "2026-02-02T12:10:00.000Z",
  updated_at: "2026-02-02T12:10:01.000Z",
  application_id: application.application_id,
  offer_id: offer.offer_id,
  installments,
  disbursement: {
    method: "PIX",
    pix_key_type: "EMAIL",
    pix_key: "****.com",
    bank_code: null,
    account_type: null,
    agency: null,
    agency_digit: null,
    account_number: null,
    account_digit: null
  },
  signature_url: "https://sign.lender.example/c/7K3Q0ZVM9T",
  rejection: null,
  status_history: [
    { status: "SUBMITTING", at: "2026-02-02T12:10:00.000Z", reason: null },
    { status: "AWAITING_SIGNATURE", at: "2026-02-02T12:10:01.000Z", reason: null }
  ]
}
