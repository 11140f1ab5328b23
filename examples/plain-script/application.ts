import {
  type Application,
  type ApplicationCommand,
  ApplicationId,
  applicationStatus,
  decide,
  evolve,
  nextAction,
  OfferId,
  opened,
  parseInstant,
  parseNewApplication,
  PartnerId,
  patchKyc,
  ProposalId,
  proposalNumber,
  QuoteId,
  saoPauloDate,
  saysWhereToPay,
  type Timestamp
} from "@lastro/domain"
import { randomBytes, randomUUID } from "node:crypto"

/** An instant, as text of whoever calls. */
export const instant = (text: string): Timestamp => {
  const read = parseInstant(text)
  if (read._tag === "Failure") throw new RangeError(`no instant: ${read.failure.code}`)
  return read.success
}

/** An application as it begins; its first quote is pending. Throws what is wrong with the body. */
export const open = (body: unknown, at: Timestamp): Application => {
  const read = parseNewApplication(body, saoPauloDate(at))
  if (read._tag === "Failure") throw read.failure
  const { customer, external_id, wish } = read.success
  return opened({
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

/** Has the state machine judge a command: the application after it, or the name of the refusal. */
export const after = (application: Application, command: ApplicationCommand): Application | string => {
  const decided = decide(command, application)
  return decided._tag === "Failure"
    ? decided.failure._tag
    : decided.success.reduce((before, event) => evolve(before, event), application)
}

/** What is asked of the customer, as far as it was told; patches of it add up. */
export const tellKyc = (application: Application, body: unknown, at: Timestamp): ApplicationCommand => {
  const kyc = patchKyc(application, body, saoPauloDate(at))
  if (kyc._tag === "Failure") throw kyc.failure
  return { _tag: "SubmitKyc", at, kyc: kyc.success, says_where_to_pay: saysWhereToPay(body) }
}

/** Accepts an offer. */
export const accept = (offer_id: OfferId, at: Timestamp): ApplicationCommand => ({
  _tag: "AcceptOffer",
  at,
  offer_id,
  proposal_id: ProposalId.make(randomUUID()),
  number: proposalNumber(randomBytes(24).toString("base64url")),
  created_by: "plain-script",
  acceptance: { accepted_at: at, ip: null, user_agent: null }
})

/** A new id for an offer. */
export const newOfferId = (): OfferId => OfferId.make(randomUUID())

/** How an application stands at an instant, and what moves it on. */
export const standing = (application: Application, at: Timestamp): string =>
  `${applicationStatus(application, at)}, ${nextAction(application, at)}`
