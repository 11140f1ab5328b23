import {
  type AcceptFgtsOfferRequest,
  type CreateFgtsApplicationRequest,
  type RequoteFgtsApplicationRequest
} from "@lastro/domain"
import { type SubmitFgtsKycRequest } from "../SubmitFgtsKycRequest.ts"
import { type Examples } from "./Examples.ts"
import { application, kyc, kycValues } from "./originationRecords.ts"
import { partner } from "./records.ts"

const createApplication: Examples<typeof CreateFgtsApplicationRequest.Encoded> = {
  least: {
    summary: "Only what is required: the most that is possible, for the caller's own partner",
    value: { external_id: "loan-4711", customer: { cpf: "111.444.777-35", birth_date: "1990-05-17" } }
  },
  whole: {
    summary: "An amount that is enough, for a given partner",
    value: {
      external_id: "loan-4711",
      customer: { ...application.customer, email: "ana.lima@example.com" },
      max_installments: 3,
      desired_amount: 800.5,
      partner_id: partner.partner_id
    }
  }
}

const requoteApplication: Examples<typeof RequoteFgtsApplicationRequest.Encoded> = {
  again: { summary: "As before", value: {} },
  other: { summary: "With another wish", value: { max_installments: 2, desired_amount: null } }
}

const acceptOffer: Examples<typeof AcceptFgtsOfferRequest.Encoded> = {
  least: { summary: "The customer has agreed, just now", value: { terms_accepted: true } },
  whole: {
    summary: "With what proves it",
    value: {
      terms_accepted: true,
      accepted_at: "2026-02-02T12:09:58.000Z",
      ip: "203.0.113.7",
      user_agent: "Mozilla/5.0 (Linux; Android 16)"
    }
  }
}

const submitKyc: Examples<SubmitFgtsKycRequest> = {
  whole: { summary: "Everything at once", value: kycValues },
  part: {
    summary: "A part: where to pay, and a telephone number that was wrong",
    value: {
      phone: null,
      disbursement_method: "BANK_TRANSFER",
      bank: { bank_code: "341", account_type: "CC", agency: "1234", account_number: "1234567", account_digit: "8" }
    }
  },
  edited: {
    summary: "What was read, edited and sent back",
    value: { ...kyc, email: "ana@example.com" }
  }
}

/** The bodies that the operations of origination may be called with. */
export const originationRequests: Readonly<Record<string, Examples<unknown>>> = {
  createApplication,
  requoteApplication,
  acceptOffer,
  submitKyc
}
