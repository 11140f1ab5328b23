import {
  type AcceptFgtsOfferResponse,
  type FgtsApplication,
  type FgtsApplicationList,
  type FgtsApplicationStatus,
  type FgtsKyc,
  missingFields,
  noKyc,
  type PageInfo,
  type ProposalsPage,
  type PublicProposalDetailResponse,
  type RejectionReason,
  type SortInfo
} from "@lastro/domain"
import { Struct } from "effect"
import { type Examples } from "./Examples.ts"
import {
  accepted,
  application,
  applicationStatus,
  kyc,
  offer,
  pendingQuote,
  proposal,
  quote
} from "./originationRecords.ts"

const quoting: typeof FgtsApplication.Encoded = {
  ...application,
  status: "QUOTING",
  quote: pendingQuote,
  updated_at: application.created_at
}

const superseded: typeof quote = { ...quote, status: "SUPERSEDED", offers: [{ ...offer, status: "SUPERSEDED" }] }

const again: typeof quote = {
  ...pendingQuote,
  quote_id: "0197f3a2-e4a5-76d7-81d3-8495a6b7c8d9",
  number: 2,
  created_at: "2026-02-02T12:05:00.000Z"
}

const requoted: typeof FgtsApplication.Encoded = { ...quoting, quote: again, updated_at: again.created_at }

const noAuthorization: typeof RejectionReason.Encoded = {
  kind: "CUSTOMER_ACTION",
  code: "NO_AUTHORIZATION",
  message: "Instituição fiduciária não possui autorização do trabalhador.",
  retryable: true,
  retry_at: null
}

const rejected: typeof FgtsApplication.Encoded = {
  ...application,
  status: "REJECTED",
  quote: {
    ...pendingQuote,
    status: "REJECTED",
    rejection: noAuthorization,
    completed_at: "2026-02-02T12:00:02.000Z"
  },
  rejection: noAuthorization
}

const masked: typeof FgtsApplication.Encoded = {
  ...application,
  customer: { ...application.customer, cpf: "***.444.777-**" }
}

const searchApplications: Examples<typeof FgtsApplicationList.Encoded> = {
  found: { summary: "One application has this reference", value: { data: [application] } },
  nothing: { summary: "None has", value: { data: [] } }
}

const createApplication: Examples<typeof FgtsApplication.Encoded> = {
  quoting: { summary: "The new application, being quoted", value: quoting }
}

const requoteApplication: Examples<typeof FgtsApplication.Encoded> = {
  quoting: { summary: "Being quoted anew", value: requoted }
}

const getApplication: Examples<typeof FgtsApplication.Encoded> = {
  quoted: { summary: "With an offer", value: application },
  rejected: { summary: "Rejected: the customer has to act before it is quoted anew", value: rejected },
  quotes: { summary: "With every quote", value: { ...requoted, quotes: [superseded, again] } },
  masked: { summary: "To a caller that may not read KYC", value: masked }
}

const getApplicationStatus: Examples<typeof FgtsApplicationStatus.Encoded> = {
  quoted: { summary: "Quoted: KYC comes next", value: applicationStatus },
  waiting: {
    summary: "Being quoted",
    value: {
      ...applicationStatus,
      status: "QUOTING",
      quote_status: "PENDING",
      next_action: "WAIT",
      version: 1,
      updated_at: application.created_at
    }
  }
}

const acceptOffer: Examples<typeof AcceptFgtsOfferResponse.Encoded> = {
  accepted: { summary: "The proposal that the offer has become", value: accepted }
}

/** What the application says of its customer. */
const suggested = Struct.pick(kyc, ["name", "cpf", "birth_date", "phone"])

const prefilled: typeof FgtsKyc.Encoded = {
  complete: false,
  missing_fields: missingFields(noKyc),
  status: "PREFILLED",
  prefilled_fields: Object.keys(suggested),
  ...noKyc,
  ...suggested
}

const getKyc: Examples<typeof FgtsKyc.Encoded> = {
  prefilled: { summary: "Nothing was submitted: what is known is suggested", value: prefilled },
  complete: { summary: "Complete", value: kyc }
}

const submitKyc: Examples<typeof FgtsKyc.Encoded> = {
  complete: { summary: "Nothing is missing any more", value: kyc }
}

const item = {
  ...Struct.omit(proposal, [
    "application_id",
    "disbursement",
    "installments",
    "offer_id",
    "rejection",
    "signature_url",
    "status_history"
  ]),
  customer: { ...proposal.customer, cpf: "***.444.777-**" }
}
const page: typeof PageInfo.Encoded = { number: 0, size: 20, total_elements: 1, total_pages: 1 }
const sort: ReadonlyArray<typeof SortInfo.Encoded> = [{ property: "created_at", direction: "desc" }]

const listProposals: Examples<typeof ProposalsPage.Encoded> = {
  page: { summary: "A page", value: { content: [item], page, sort } },
  nothing: {
    summary: "Nothing matches",
    value: { content: [], page: { ...page, total_elements: 0, total_pages: 0 }, sort }
  }
}

const getProposal: Examples<typeof PublicProposalDetailResponse.Encoded> = {
  signing: { summary: "Waiting for the customer's signature", value: { data: proposal } }
}

/** The bodies that the operations of origination and on proposals may succeed with. */
export const originationResponses: Readonly<Record<string, Examples<unknown>>> = {
  searchApplications,
  createApplication,
  requoteApplication,
  acceptOffer,
  getKyc,
  submitKyc,
  getApplication,
  getApplicationStatus,
  listProposals,
  getProposal
}
