import { Result } from "effect"
import { type Customer, type KycValues } from "../../src/kyc/KycValues.ts"
import { submittedFields } from "../../src/kyc/prefill.ts"
import { type Application } from "../../src/loan/Application.ts"
import { decide } from "../../src/loan/decide.ts"
import { evolve, openApplication } from "../../src/loan/evolve.ts"
import { type LenderContract, type LenderExits } from "../../src/loan/LenderContract.ts"
import {
  type AcceptOffer,
  type CancelApplication,
  type LoanCommand,
  type RecordContract,
  type RecordExitRefused,
  type RecordInvalid,
  type RecordNotReceived,
  type RecordQuote,
  type RenewSignatureLink,
  type RequestQuote,
  type StartSubmission,
  type SubmitKyc,
  type WithdrawFromProposal
} from "../../src/loan/LoanCommand.ts"
import { type ApplicationOpened, type LoanEvent } from "../../src/loan/LoanEvent.ts"
import { openRequestOf } from "../../src/loan/Proposal.ts"
import { type ProposalNumber } from "../../src/loan/ProposalNumber.ts"
import { dueDates } from "../../src/offer/installments.ts"
import { priceOffer } from "../../src/offer/priceOffer.ts"
import { type LenderOffer, type QuoteWish } from "../../src/offer/Quote.ts"
import { type RejectionCode, rejectionReason } from "../../src/offer/RejectionReason.ts"
import { type StoredProposal, storeProposal } from "../../src/origination/storedProposal.ts"
import { type Zipcode } from "../../src/values/Address.ts"
import { type CalendarDate, calendarDate, saoPauloDate } from "../../src/values/CalendarDate.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { type Cpf } from "../../src/values/Cpf.ts"
import { type Email } from "../../src/values/Email.ts"
import { type OfferId, type ProposalId, type QuoteId } from "../../src/values/ids.ts"
import { percent } from "../../src/values/Percent.ts"
import { type Phone } from "../../src/values/Phone.ts"
import { type PixKey } from "../../src/values/Pix.ts"
import { addMillis, type Timestamp } from "../../src/values/Timestamp.ts"

/** The start of the examples, under the policy that allows five instalments. */
export const noon = "2026-01-31T12:00:00.000Z" as Timestamp

/** Returns the instant so many milliseconds after another one. */
export const msAfter = (milliseconds: number, from: Timestamp = noon): Timestamp => addMillis(from, milliseconds)

export const hourMs = 3_600_000

/** A UUID that ends in a number. */
export const idOf = <Id extends string>(number: number): Id =>
  `01890000-0000-7000-8000-${String(number).padStart(12, "0")}` as Id

/** The id of a quote by its number, and of an offer by quote and position. */
export const quoteId = (quote: number): QuoteId => idOf(quote)
export const offerId = (quote: number, place: number): OfferId => idOf(1_000 * quote + place)

export const noWish: QuoteWish = { max_installments: null, desired_amount: null }

export const customer: Customer = {
  cpf: "52998224725" as Cpf,
  birth_date: calendarDate("1990-05-17"),
  name: "Maria da Conceição",
  email: "maria@example.com" as Email,
  phone: null
}

/** A complete KYC, paid by PIX. */
export const completeKyc = {
  name: "Maria da Conceição",
  cpf: customer.cpf,
  birth_date: customer.birth_date,
  gender: "F",
  civil_status: "MARRIED",
  mother_name: "Ana da Conceição",
  nationality: "Brasileira",
  document: { type: "RG", number: "12.345.678-9", issuer: "SSP", uf: "SP", issued_at: calendarDate("2010-03-04") },
  email: "maria@example.com" as Email,
  phone: "11987654321" as Phone,
  is_pep: false,
  address: {
    zipcode: "01310100" as Zipcode,
    uf: "SP",
    city: "São Paulo",
    neighborhood: "Bela Vista",
    street: "Avenida Paulista",
    number: "1578",
    complement: "Apto 42"
  },
  disbursement_method: "PIX",
  pix: { type: "EMAIL", key: "maria@example.com" as PixKey },
  bank: {
    bank_code: "341",
    account_type: "CC",
    agency: "0001",
    agency_digit: "7",
    account_number: "1234567",
    account_digit: "X"
  }
} as const satisfies KycValues

/** A lender's offer under one table: instalments in centavos, priced on the date of `at`. */
export const lenderOffer = (
  code: string,
  { amounts = [300_00, 240_00, 180_00], at = noon, birth_date = customer.birth_date, fee = 0, valid_until = null }: {
    readonly amounts?: ReadonlyArray<number>
    readonly at?: Timestamp
    readonly birth_date?: CalendarDate
    readonly fee?: number
    readonly valid_until?: Timestamp | null
  } = {}
): LenderOffer => {
  const released_on = saoPauloDate(at)
  const due = dueDates(released_on, birth_date, amounts.length)
  return {
    table: { code, label: code.toUpperCase() },
    terms: Result.getOrThrow(priceOffer({
      released_on,
      monthly_rate: percent(1.8),
      fee: { kind: "fixed", amount: centavos(fee) },
      installments: amounts.map((amount, index) => ({
        amount: centavos(amount),
        due_date: due[index] ?? released_on
      }))
    })),
    valid_until
  }
}

const openedAt = (at: Timestamp, wish: QuoteWish): ApplicationOpened => ({
  _tag: "ApplicationOpened",
  at,
  application_id: idOf(900_001),
  external_id: "loan-4711",
  partner_id: idOf(900_002),
  created_by: "somebody",
  customer,
  quote_id: quoteId(1),
  wish
})

/** A new application with a pending first quote. */
export const newApplication = (at: Timestamp = noon, wish: QuoteWish = noWish): Application =>
  openApplication(openedAt(at, wish))

/** Returns the decision about a command. */
export const decideOn = <Command extends LoanCommand>(application: Application, command: Command) =>
  decide(command, application)

/** Returns the events of a command, which must be accepted. */
export const eventsOf = (application: Application, command: LoanCommand): ReadonlyArray<LoanEvent> =>
  Result.getOrThrow(decide(command, application))

/** Returns the proposal of an application in its stored form, in which it has the fields of all statuses. */
export const storedProposal = ({ proposal }: Pick<Application, "proposal">): StoredProposal | undefined =>
  proposal === null ? undefined : storeProposal(proposal)

/** Applies commands to an application and requires each to be accepted. */
export const applyCommands = (application: Application, ...commands: ReadonlyArray<LoanCommand>): Application =>
  commands.reduce(
    (state, command) => eventsOf(state, command).reduce(evolve, state),
    application
  )

export const requote = (quote: number, at: Timestamp = noon, wish: QuoteWish = noWish): RequestQuote => ({
  _tag: "RequestQuote",
  at,
  quote_id: quoteId(quote),
  wish
})

/** A quote is priced. Default: offers of two tables. */
export const priceQuote = (
  quote: number,
  at: Timestamp = noon,
  offers: ReadonlyArray<LenderOffer> = [lenderOffer("standard", { at }), lenderOffer("plus", { at, fee: 10_00 })]
): RecordQuote => ({
  _tag: "RecordQuote",
  at,
  quote_id: quoteId(quote),
  result: { kind: "PRICED", offers, unpriced: [] },
  offer_ids: offers.map((_, index) => offerId(quote, index + 1))
})

/** The lender rejects a quote. */
export const rejectQuote = (
  quote: number,
  code: RejectionCode,
  at: Timestamp = noon,
  retry_at: Timestamp | null = null
): RecordQuote => ({
  _tag: "RecordQuote",
  at,
  quote_id: quoteId(quote),
  result: { kind: "REFUSED", rejection: rejectionReason(code, "Não.", retry_at) },
  offer_ids: []
})

/** A quote fails without an answer. */
export const failQuote = (quote: number, at: Timestamp = noon): RecordQuote => ({
  _tag: "RecordQuote",
  at,
  quote_id: quoteId(quote),
  result: { kind: "FAILED", rejection: rejectionReason("UPSTREAM_UNAVAILABLE", "No answer.") },
  offer_ids: []
})

export const submitKyc = (
  kyc: KycValues = completeKyc,
  at: Timestamp = noon,
  has_disbursement_data: boolean = true,
  submitted: ReadonlyArray<string> = submittedFields(kyc)
): SubmitKyc => ({ _tag: "SubmitKyc", at, kyc, has_disbursement_data, submitted })

export const accept = (offer_id: OfferId, at: Timestamp = noon, proposal: number = 900_003): AcceptOffer => ({
  _tag: "AcceptOffer",
  at,
  offer_id,
  proposal_id: idOf<ProposalId>(proposal),
  number: "0123456789" as ProposalNumber,
  created_by: "somebody else",
  acceptance: { accepted_at: at, ip: "203.0.113.7", user_agent: "Mozilla/5.0" },
  pledges: []
})

export const updateContract = (
  status: LenderContract["status"],
  at: Timestamp = noon,
  changes: Partial<LenderContract> = {}
): RecordContract => ({
  _tag: "RecordContract",
  at,
  contract: {
    reference: "contract-1",
    status,
    signature_url: "https://lender.example/sign/1",
    rejection: status === "DISBURSEMENT_FAILED"
      ? rejectionReason("DISBURSEMENT_FAILED", "Conta inválida.")
      : status === "CANCELLED"
      ? rejectionReason("CUSTOMER_CANCELLED", "Desistência.")
      : status === "REJECTED"
      ? rejectionReason("KYC_REJECTED", "Documento inválido.")
      : status === "REFUNDED"
      ? rejectionReason("CUSTOMER_CANCELLED", "Valor devolvido.")
      : null,
    disbursement_attempt: 1,
    ...changes
  }
})

/** The lender returns the contract of another proposal. */
export const returnContractOfAnother = (reference: string = "taken", at: Timestamp = noon): RecordContract => ({
  ...updateContract("AWAITING_SIGNATURE", at, { reference }),
  reference_holder: idOf<ProposalId>(900_009)
})

/** An application with offers and a complete KYC. */
export const quotedApplication = (at: Timestamp = noon): Application =>
  applyCommands(newApplication(at), priceQuote(1, at), submitKyc(completeKyc, at))

/** An application whose best offer is accepted. */
export const contractingApplication = (at: Timestamp = noon): Application =>
  applyCommands(quotedApplication(at), accept(offerId(1, 1), at))

/** The submission of the accepted offer starts. */
export const startSubmission = (at: Timestamp = noon): StartSubmission => ({ _tag: "StartSubmission", at })

/** The lender did not receive the submission that started at a time. */
export const notReceived = (submitted_at: Timestamp = noon, at: Timestamp = submitted_at): RecordNotReceived => ({
  _tag: "RecordNotReceived",
  at,
  submitted_at,
  began_at: submitted_at
})

/** The lender refuses the data of the submission. */
export const refuseSubmission = (fields: ReadonlyArray<string> = ["phone"], at: Timestamp = noon): RecordInvalid => ({
  _tag: "RecordInvalid",
  at,
  fields
})

/** A lender that offers every exit. */
export const allExits: LenderExits = { cancel: true, refund: true, signature_link: true }

export const cancel = (
  at: Timestamp = noon,
  exits: LenderExits | null = allExits,
  reason: CancelApplication["reason"] = "CUSTOMER_REQUEST"
): CancelApplication => ({ _tag: "CancelApplication", at, reason, exits })

export const withdraw = (at: Timestamp = noon, exits: LenderExits | null = allExits): WithdrawFromProposal => ({
  _tag: "WithdrawFromProposal",
  at,
  reason: "CUSTOMER_REQUEST",
  exits
})

export const renewLink = (at: Timestamp = noon, exits: LenderExits | null = allExits): RenewSignatureLink => ({
  _tag: "RenewSignatureLink",
  at,
  exits
})

/** The lender refuses the open request of a proposal. If there is none, it refuses a cancellation that nobody requested. */
export const refuseRequest = (
  { proposal }: Application,
  at: Timestamp = noon,
  cause: RecordExitRefused["cause"] = "UNSUPPORTED"
): RecordExitRefused => ({
  _tag: "RecordExitRefused",
  at,
  cause,
  request: (proposal && openRequestOf(proposal)) ?? { kind: "cancel", requested_at: at }
})

/** How the customer pays a refunded contract back. */
export const refund = {
  amount: centavos(500_00),
  pix_copy_paste: "00020126580014br.gov.bcb.pix",
  expires_at: msAfter(48 * hourMs)
}
