import { type Application } from "../../../src/fgts/application/Application.ts"
import { type ApplicationCommand } from "../../../src/fgts/application/decide.ts"
import {
  accept,
  addMillis,
  applyCommands,
  completeKyc,
  failQuote,
  hourMs,
  lenderOffer,
  noon,
  offerId,
  priceQuote,
  quotedApplication,
  rejectQuote,
  requote,
  submitKyc,
  updateContract
} from "../examples.ts"

/** Commands come one hour after the last event, or after the offers have expired. */
const soon = addMillis(hourMs)
const tomorrow = addMillis(25 * hourMs)

/** Every state has two quotes. The offers of the first are superseded; the state's name describes the second. */
const requoted = applyCommands(quotedApplication(), requote(2))
const quotedAgain = applyCommands(requoted, priceQuote(2))
const accepted = applyCommands(quotedAgain, accept(offerId(2, 1)))
const moveProposal = (status: Parameters<typeof updateContract>[0]): Application =>
  applyCommands(accepted, updateContract(status))
const offers = [lenderOffer("standard"), lenderOffer("plus", { fee: 10_00, valid_until: addMillis(1) })]

/** An application and the instant at which commands reach it. */
export interface State {
  readonly application: Application
  readonly at: typeof soon
}

/** All states: application and proposal status, KYC completeness, and the effects of time. */
export const states = {
  "QUOTING": { application: requoted, at: soon },
  "QUOTED, KYC incomplete": {
    application: applyCommands(quotedAgain, submitKyc({ ...completeKyc, phone: null, pix: null })),
    at: soon
  },
  "QUOTED, KYC complete": { application: quotedAgain, at: soon },
  "QUOTED, sibling expired": { application: applyCommands(requoted, priceQuote(2, noon, offers)), at: soon },
  "EXPIRED": { application: quotedAgain, at: tomorrow },
  "QUOTE_FAILED": { application: applyCommands(requoted, failQuote(2)), at: soon },
  "REJECTED, retryable": { application: applyCommands(requoted, rejectQuote(2, "NO_AUTHORIZATION")), at: soon },
  "REJECTED, retry_at past": {
    application: applyCommands(requoted, rejectQuote(2, "BIRTHDAY_WINDOW", soon, soon)),
    at: soon
  },
  "REJECTED, retry_at ahead": {
    application: applyCommands(requoted, rejectQuote(2, "BIRTHDAY_WINDOW", soon, addMillis(1, soon))),
    at: soon
  },
  "REJECTED, final": { application: applyCommands(requoted, rejectQuote(2, "NO_BALANCE")), at: soon },
  "SUBMITTING": { application: accepted, at: soon },
  "AWAITING_SIGNATURE": { application: moveProposal("AWAITING_SIGNATURE"), at: soon },
  "GUARANTEE_PENDING": { application: moveProposal("GUARANTEE_PENDING"), at: soon },
  "DISBURSING": { application: moveProposal("DISBURSING"), at: tomorrow },
  "DISBURSEMENT_FAILED": { application: moveProposal("DISBURSEMENT_FAILED"), at: tomorrow },
  "PAID": { application: moveProposal("PAID"), at: tomorrow },
  "CANCELLED": { application: moveProposal("CANCELLED"), at: soon },
  "REJECTED by the lender": { application: moveProposal("REJECTED"), at: soon }
} as const satisfies Readonly<Record<string, State>>

/** All commands. The KYC of a `kyc …` command is complete, except for `kyc partial` and `kyc no account`. */
export const commands = {
  "re-quote": ({ at }) => requote(3, at),
  "accept": ({ at }) => accept(offerId(2, 1), at, 4),
  "accept sibling": ({ at }) => accept(offerId(2, 2), at, 4),
  "accept superseded": ({ at }) => accept(offerId(1, 1), at, 4),
  "accept unknown": ({ at }) => accept(offerId(9, 9), at, 4),
  "kyc changed": ({ at }) => submitKyc({ ...completeKyc, civil_status: "WIDOWED" }, at, false),
  "kyc partial": ({ application, at }) =>
    submitKyc({ ...(application.kyc ?? completeKyc), nationality: null }, at, false),
  "kyc same": ({ application, at }) => submitKyc(application.kyc ?? completeKyc, at, false),
  "kyc same account": ({ application, at }) => submitKyc(application.kyc ?? completeKyc, at, true),
  "kyc other account": ({ at }) => submitKyc({ ...completeKyc, disbursement_method: "BANK_TRANSFER" }, at, true),
  "kyc no account": ({ at }) => submitKyc({ ...completeKyc, pix: null }, at, true),
  "offers": ({ at }) => priceQuote(2, at),
  "refusal": ({ at }) => rejectQuote(2, "NO_BALANCE", at),
  "failure": ({ at }) => failQuote(2, at),
  "offers for the first quote": ({ at }) => priceQuote(1, at),
  "to AWAITING_SIGNATURE": ({ at }) => updateContract("AWAITING_SIGNATURE", at),
  "to GUARANTEE_PENDING": ({ at }) => updateContract("GUARANTEE_PENDING", at),
  "to DISBURSING": ({ at }) => updateContract("DISBURSING", at),
  "to DISBURSEMENT_FAILED": ({ at }) => updateContract("DISBURSEMENT_FAILED", at),
  "to PAID": ({ at }) => updateContract("PAID", at),
  "to CANCELLED": ({ at }) => updateContract("CANCELLED", at),
  "to REJECTED": ({ at }) => updateContract("REJECTED", at)
} as const satisfies Readonly<Record<string, (state: State) => ApplicationCommand>>

export type StateName = keyof typeof states
export type CommandName = keyof typeof commands
