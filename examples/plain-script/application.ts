import { hasDisbursementFields, patchKyc } from "@lastro/domain/kyc"
import {
  type Application,
  applicationStatus,
  decide,
  evolve,
  type LoanCommand,
  nextAction,
  openApplication,
  proposalNumber
} from "@lastro/domain/loan"
import { parseNewApplication } from "@lastro/domain/origination"
import {
  ApplicationId,
  OfferId,
  parseTimestamp,
  PartnerId,
  ProposalId,
  QuoteId,
  saoPauloDate,
  type Timestamp
} from "@lastro/domain/values"
import { randomBytes, randomUUID } from "node:crypto"

/** Parses an instant. Throws a RangeError if it is invalid. */
export const instant = (text: string): Timestamp => {
  const read = parseTimestamp(text)
  if (read._tag === "Failure") throw new RangeError(`Invalid instant: ${read.failure.code}`)
  return read.success
}

/** Opens an application with a pending quote. Throws the validation error if the body is invalid. */
export const newApplication = (body: unknown, at: Timestamp): Application => {
  const read = parseNewApplication(body, saoPauloDate(at))
  if (read._tag === "Failure") throw read.failure
  const { customer, external_id, wish } = read.success
  return openApplication({
    _tag: "ApplicationOpened",
    at,
    application_id: ApplicationId.make(randomUUID()),
    quote_id: QuoteId.make(randomUUID()),
    partner_id: PartnerId.make("0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"),
    created_by: "plain-script",
    external_id,
    customer,
    wish
  })
}

/** Runs a command. Returns the changed application, or the tag of the error. */
export const runCommand = (application: Application, command: LoanCommand): Application | string => {
  const decided = decide(command, application)
  return decided._tag === "Failure"
    ? decided.failure._tag
    : decided.success.reduce((before, event) => evolve(before, event), application)
}

/** Creates the command that merges a partial KYC form into the stored one. */
export const submitKyc = (application: Application, body: unknown, at: Timestamp): LoanCommand => {
  const kyc = patchKyc(application, body, saoPauloDate(at))
  if (kyc._tag === "Failure") throw kyc.failure
  return { _tag: "SubmitKyc", at, kyc: kyc.success, has_disbursement_data: hasDisbursementFields(body) }
}

/** Creates the command that accepts an offer. */
export const acceptOffer = (offer_id: OfferId, at: Timestamp): LoanCommand => ({
  _tag: "AcceptOffer",
  at,
  offer_id,
  proposal_id: ProposalId.make(randomUUID()),
  number: proposalNumber(randomBytes(24).toString("base64url")),
  created_by: "plain-script",
  acceptance: { accepted_at: at, ip: null, user_agent: null },
  // The years of the annual withdrawals that the customer's other contracts pledge: none, because this script keeps one application.
  pledged_years: new Set()
})

/** Generates an offer id. */
export const newOfferId = (): OfferId => OfferId.make(randomUUID())

/** Formats the status and the next action of an application at an instant. */
export const describeStatus = (application: Application, at: Timestamp): string =>
  `${applicationStatus(application, at)}, ${nextAction(application, at)}`
