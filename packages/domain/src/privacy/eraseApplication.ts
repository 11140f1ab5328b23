import { type Disbursement } from "../kyc/Disbursement.ts"
import { type Customer } from "../kyc/KycValues.ts"
import { type Application, recordingTime } from "../loan/Application.ts"
import { type Proposal, type ProposalState } from "../loan/Proposal.ts"
import { withoutAction } from "../loan/proposalState.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type DocumentNumber } from "../values/DocumentNumber.ts"
import { type PixKey } from "../values/Pix.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { eraseTexts, valuesOfCustomer } from "./personValues.ts"

/** Erased values are empty texts, so that a node of an earlier version can still read the facts. */
const erasedCustomer: Customer = {
  cpf: "" as Cpf,
  birth_date: "" as CalendarDate,
  name: null,
  email: null,
  phone: null
}

const eraseDisbursement = (disbursement: Disbursement): Disbursement =>
  disbursement.method === "PIX"
    ? { method: "PIX", pix: { ...disbursement.pix, key: "" as PixKey }, bank: null }
    : {
      method: "BANK_TRANSFER",
      pix: null,
      bank: {
        bank_code: null,
        account_type: null,
        agency: null,
        agency_digit: null,
        account_number: null,
        account_digit: null
      }
    }

/** Removes links, actions and payment codes from the state of a proposal. */
const eraseState = <State extends ProposalState>(state: State): State => ({
  ...state,
  ...("contract" in state ? { contract: withoutAction(state.contract) } : {}),
  ...("signature_url" in state ? { signature_url: null } : {}),
  ...("refund" in state ? { refund: null } : {}),
  ...("paid" in state && state.paid !== null ? { paid: { ...state.paid, end_to_end_id: null } } : {}),
  ...("before" in state ? { before: eraseState(state.before) } : {})
})

const eraseProposal = (proposal: Proposal): Proposal => {
  const erased = {
    customer: { name: "", cpf: "" as Cpf },
    acceptance: { accepted_at: proposal.acceptance.accepted_at, ip: null, user_agent: null },
    disbursement: eraseDisbursement(proposal.disbursement)
  }
  return { ...eraseState(proposal), ...erased }
}

/**
 * An erased application keeps its ids, times, amounts, statuses and seller, and the lender's reference of the contract,
 * which contains no personal data.
 *
 * - Removed: customer, KYC, payment account, evidence of the acceptance, links and metadata. They cannot be restored.
 * - Replaced: the external id (PRIV-13), and texts of the API consumer or the lender that contain a value of the person
 *   (PRIV-05).
 *
 * Source: LGPD, art. 5, III and XI; art. 12.
 * @rule PRIV-03
 */
export const eraseApplication = (application: Application, at: Timestamp, external_id: string): Application => {
  const { kyc: _kyc, proposal, quotes, ...kept } = application
  const person = valuesOfCustomer(application)
  const erased_at = recordingTime(application, at)
  return {
    ...kept,
    cancellation: eraseTexts(kept.cancellation, person),
    external_id,
    customer: erasedCustomer,
    metadata: {},
    quotes: eraseTexts(quotes, person),
    kyc: null,
    proposal: proposal === null ? null : eraseTexts(eraseProposal(proposal), person),
    erased_at,
    updated_at: erased_at,
    version: application.version + 1
  }
}

/**
 * The data of a contract's seller is erased at the seller's request, once the contract need not be kept (PRIV-01). This
 * data is the name and the CPF of the user, and the document number of a partner that is a natural person. Until then,
 * it belongs to the record of the contract.
 * @rule PRIV-08
 */
export const eraseSeller = (application: Application, cpf: Cpf): Application => {
  const { proposal } = application
  if (proposal === null || proposal.origin === null) return application
  const { origin } = proposal
  const { agent, partner } = origin
  return {
    ...application,
    proposal: {
      ...proposal,
      origin: {
        partner: (partner.document_number as string) === (cpf as string)
          ? { ...partner, document_number: "" as DocumentNumber }
          : partner,
        agent: agent.cpf === cpf ? { ...agent, name: null, cpf: null } : agent
      }
    }
  }
}
