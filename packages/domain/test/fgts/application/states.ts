import { type Application } from "../../../src/fgts/application/Application.ts"
import { type ApplicationCommand } from "../../../src/fgts/application/decide.ts"
import {
  accept,
  contract,
  failedQuote,
  having,
  hourMs,
  later,
  lenderOffer,
  noon,
  offerId,
  priced,
  quoted,
  refusedQuote,
  requote,
  submitKyc,
  wholeKyc
} from "../examples.ts"

/** Commands come one hour after the last event, or after the offers have expired. */
const soon = later(hourMs)
const tomorrow = later(25 * hourMs)

/** Every state has two quotes. The offers of the first are superseded; the state's name describes the second. */
const requoted = having(quoted(), requote(2))
const quotedAgain = having(requoted, priced(2))
const accepted = having(quotedAgain, accept(offerId(2, 1)))
const moveProposal = (status: Parameters<typeof contract>[0]): Application => having(accepted, contract(status))
const offers = [lenderOffer("standard"), lenderOffer("plus", { fee: 10_00, valid_until: later(1) })]

/** An application and the instant at which commands reach it. */
export interface State {
  readonly application: Application
  readonly at: typeof soon
}

/** All states: application and proposal status, KYC completeness, and the effects of time. */
export const states = {
  "QUOTING": { application: requoted, at: soon },
  "QUOTED, KYC incomplete": {
    application: having(quotedAgain, submitKyc({ ...wholeKyc, phone: null, pix: null })),
    at: soon
  },
  "QUOTED, KYC complete": { application: quotedAgain, at: soon },
  "QUOTED, sibling expired": { application: having(requoted, priced(2, noon, offers)), at: soon },
  "EXPIRED": { application: quotedAgain, at: tomorrow },
  "QUOTE_FAILED": { application: having(requoted, failedQuote(2)), at: soon },
  "REJECTED, retryable": { application: having(requoted, refusedQuote(2, "NO_AUTHORIZATION")), at: soon },
  "REJECTED, retry_at past": {
    application: having(requoted, refusedQuote(2, "BIRTHDAY_WINDOW", soon, soon)),
    at: soon
  },
  "REJECTED, retry_at ahead": {
    application: having(requoted, refusedQuote(2, "BIRTHDAY_WINDOW", soon, later(1, soon))),
    at: soon
  },
  "REJECTED, final": { application: having(requoted, refusedQuote(2, "NO_BALANCE")), at: soon },
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
  "kyc changed": ({ at }) => submitKyc({ ...wholeKyc, civil_status: "WIDOWED" }, at, false),
  "kyc partial": ({ application, at }) => submitKyc({ ...(application.kyc ?? wholeKyc), nationality: null }, at, false),
  "kyc same": ({ application, at }) => submitKyc(application.kyc ?? wholeKyc, at, false),
  "kyc same account": ({ application, at }) => submitKyc(application.kyc ?? wholeKyc, at, true),
  "kyc other account": ({ at }) => submitKyc({ ...wholeKyc, disbursement_method: "BANK_TRANSFER" }, at, true),
  "kyc no account": ({ at }) => submitKyc({ ...wholeKyc, pix: null }, at, true),
  "offers": ({ at }) => priced(2, at),
  "refusal": ({ at }) => refusedQuote(2, "NO_BALANCE", at),
  "failure": ({ at }) => failedQuote(2, at),
  "offers for the first quote": ({ at }) => priced(1, at),
  "to AWAITING_SIGNATURE": ({ at }) => contract("AWAITING_SIGNATURE", at),
  "to GUARANTEE_PENDING": ({ at }) => contract("GUARANTEE_PENDING", at),
  "to DISBURSING": ({ at }) => contract("DISBURSING", at),
  "to DISBURSEMENT_FAILED": ({ at }) => contract("DISBURSEMENT_FAILED", at),
  "to PAID": ({ at }) => contract("PAID", at),
  "to CANCELLED": ({ at }) => contract("CANCELLED", at),
  "to REJECTED": ({ at }) => contract("REJECTED", at)
} as const satisfies Readonly<Record<string, (state: State) => ApplicationCommand>>

export type StateName = keyof typeof states
export type CommandName = keyof typeof commands
