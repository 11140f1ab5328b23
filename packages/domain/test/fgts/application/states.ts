import { type Application } from "../../../src/fgts/application/Application.ts"
import { type ApplicationCommand } from "../../../src/fgts/application/decide.ts"
import {
  accept,
  contract,
  failedQuote,
  having,
  hourMs,
  later,
  offerId,
  priced,
  quoted,
  refusedQuote,
  requote,
  submitKyc,
  wholeKyc
} from "../examples.ts"

/** When the commands come: an hour after everything else, or after the offers have expired. */
const soon = later(hourMs)
const tomorrow = later(25 * hourMs)

/** Two quotes: the offers of the first are superseded, what became of the second is told. */
const again = having(quoted(), requote(2))
const quotedAgain = having(again, priced(2))
const accepted = having(quotedAgain, accept(offerId(2, 1)))
const moved = (...statuses: ReadonlyArray<Parameters<typeof contract>[0]>): Application =>
  having(accepted, ...statuses.map((status) => contract(status)))

/** An application, and when commands come to it. */
export interface State {
  readonly application: Application
  readonly at: typeof soon
}

/** Every state there is: contract and quote as far as they may be, what time has done, and whether the KYC is complete. */
export const states = {
  "QUOTING": { application: again, at: soon },
  "QUOTED, KYC incomplete": {
    application: having(quotedAgain, submitKyc({ ...wholeKyc, phone: null, pix: null })),
    at: soon
  },
  "QUOTED, KYC complete": { application: quotedAgain, at: soon },
  "EXPIRED": { application: quotedAgain, at: tomorrow },
  "QUOTE_FAILED": { application: having(again, failedQuote(2)), at: soon },
  "REJECTED, retryable": { application: having(again, refusedQuote(2, "NO_AUTHORIZATION")), at: soon },
  "REJECTED, retry_at past": { application: having(again, refusedQuote(2, "BIRTHDAY_WINDOW", soon, soon)), at: soon },
  "REJECTED, retry_at ahead": {
    application: having(again, refusedQuote(2, "BIRTHDAY_WINDOW", soon, later(1, soon))),
    at: soon
  },
  "REJECTED, final": { application: having(again, refusedQuote(2, "NO_BALANCE")), at: soon },
  "SUBMITTING": { application: accepted, at: soon },
  "AWAITING_SIGNATURE": { application: moved("AWAITING_SIGNATURE"), at: soon },
  "GUARANTEE_PENDING": { application: moved("GUARANTEE_PENDING"), at: soon },
  "DISBURSING": { application: moved("DISBURSING"), at: tomorrow },
  "DISBURSEMENT_FAILED": { application: moved("DISBURSEMENT_FAILED"), at: tomorrow },
  "PAID": { application: moved("PAID"), at: tomorrow },
  "CANCELLED": { application: moved("CANCELLED"), at: soon },
  "REJECTED by the lender": { application: moved("REJECTED"), at: soon }
} as const satisfies Readonly<Record<string, State>>

/** Every command there is. `kyc …` is complete, but for `in part`. */
export const commands = {
  "re-quote": ({ at }) => requote(3, at),
  "accept": ({ at }) => accept(offerId(2, 1), at, 4),
  "accept sibling": ({ at }) => accept(offerId(2, 2), at, 4),
  "accept superseded": ({ at }) => accept(offerId(1, 1), at, 4),
  "accept unknown": ({ at }) => accept(offerId(9, 9), at, 4),
  "kyc changed": ({ at }) => submitKyc({ ...wholeKyc, civil_status: "WIDOWED" }, at, false),
  "kyc in part": ({ application, at }) => submitKyc({ ...(application.kyc ?? wholeKyc), nationality: null }, at, false),
  "kyc same": ({ application, at }) => submitKyc(application.kyc ?? wholeKyc, at, false),
  "kyc same, where to pay": ({ application, at }) => submitKyc(application.kyc ?? wholeKyc, at, true),
  "kyc other account": ({ at }) => submitKyc({ ...wholeKyc, disbursement_method: "BANK_TRANSFER" }, at, true),
  "kyc no account": ({ at }) => submitKyc({ ...wholeKyc, pix: null }, at, true),
  "offers": ({ at }) => priced(2, at),
  "refusal": ({ at }) => refusedQuote(2, "NO_BALANCE", at),
  "failure": ({ at }) => failedQuote(2, at),
  "superseded offers": ({ at }) => priced(1, at),
  "to AWAITING_SIGNATURE": ({ at }) => contract("AWAITING_SIGNATURE", at),
  "to GUARANTEE_PENDING": ({ at }) => contract("GUARANTEE_PENDING", at),
  "to DISBURSING": ({ at }) => contract("DISBURSING", at),
  "to DISBURSEMENT_FAILED": ({ at }) => contract("DISBURSEMENT_FAILED", at),
  "to PAID": ({ at }) => contract("PAID", at),
  "to CANCELLED": ({ at }) => contract("CANCELLED", at),
  "to REJECTED": ({ at }) => contract("REJECTED", at)
} as const satisfies Readonly<Record<string, (state: State) => ApplicationCommand>>
