import { sandboxAnswer, sandboxCpf, sandboxDigits, sandboxScenario, sandboxScenarios } from "@lastro/domain/adapters"
import { maxAttempts } from "@lastro/domain/jobs"
import { emptyKyc, type KycValues } from "@lastro/domain/kyc"
import { type Application, decide, evolve, latestQuote, type LoanCommand, openApplication } from "@lastro/domain/loan"
import { policyOn, rejectionReason } from "@lastro/domain/offer"
import { acceptedTerms, isContracted } from "@lastro/domain/origination"
import { saoPauloDate, type Timestamp, timestampOf } from "@lastro/domain/values"
import { Result } from "effect"
import { address } from "./names.ts"

const hour = 3_600_000

/** The last digits of a CPF for which the sandbox lender has an unusual response. */
export const unusualEndings = [...sandboxScenarios.keys()]

/**
 * Number of customer classes. Customers with usual responses form 12 classes, by birth month. Each unusual ending of a
 * CPF is another class.
 */
export const classes = 12 + unusualEndings.length

/** Number of rounds of histories. A round has one history per customer class. */
export const rounds = 18

/** The time between the start of one history and the next. All histories together cover two years. */
const apartMs = 24 * hour

/** The duration of a round. */
export const roundMs = classes * apartMs

/** The times of a seed, in milliseconds since 1970. */
export interface Timeline {
  /** The start of the current day in São Paulo. Everything happens before it. */
  readonly until: number
  /** The time at which the first application is opened. */
  readonly firstOpened: number
  /**
   * The latest creation time of partners and users: the start of the last round. Every user can then open applications
   * of at least one round.
   */
  readonly lastCreated: number
}

/** Returns the times of a seed for the day of `now` in São Paulo. */
export const timelineAt = (now: number): Timeline => {
  const until = Date.parse(`${saoPauloDate(timestampOf(now))}T03:00:00Z`)
  // The last application is opened on the afternoon of the day before, so that its offers can still be accepted.
  const firstOpened = until - 10 * hour - (rounds * classes - 1) * apartMs
  return { until, firstOpened, lastCreated: firstOpened + (rounds - 1) * roundMs }
}

/** The longest time from an acceptance to the last answer of the lender. */
const contractMs = 36 * hour

/**
 * An application has the times of its history, shifted forward by less than this number of milliseconds. A shift never
 * changes the calendar day in São Paulo.
 */
export const shiftMs = 4 * hour

/** Returns a time, or the next midnight in São Paulo if a shift could reach it. */
const sameDayFrom = (millis: number): number => {
  const latest = saoPauloDate(timestampOf(millis + shiftMs - 1))
  return saoPauloDate(timestampOf(millis)) === latest ? millis : Date.parse(`${latest}T03:00:00Z`)
}

const account = { bank_code: "104", account_type: "CP", agency: "1234", agency_digit: null, account_digit: "7" }
const transfer = { disbursement_method: "BANK_TRANSFER", pix: null, bank: { ...account, account_number: "~account~" } }

const kycOf = (customerClass: number, variant: number): KycValues => {
  const cpf = sandboxCpf(unusualEndings[customerClass - 12] ?? "00")
  const keys = [["CPF", cpf], ["PHONE", "+55~phone~"], ["EMAIL", "~email~"], ["EVP", "~id~ff"]]
  const [type, key] = keys[variant % 5] ?? []
  return {
    name: "~name~",
    cpf,
    birth_date: `1980-${String(customerClass % 12 + 1).padStart(2, "0")}-15`,
    gender: customerClass % 2 === 0 ? "F" : "M",
    civil_status: customerClass % 3 === 0 ? "MARRIED" : "SINGLE",
    mother_name: "~mother~",
    nationality: "Brasileira",
    document: { type: "RG", number: "~document~", issuer: "SSP", uf: "SP", issued_at: "2010-05-04" },
    email: "~email~",
    phone: "~phone~",
    is_pep: false,
    address: { ...address, number: "100" },
    ...(key === undefined ? transfer : { disbursement_method: "PIX", pix: { type, key }, bank: null })
  } as KycValues
}

/**
 * Returns whether the customer of a history has not yet authorized the lender at CAIXA when the first quote is
 * requested. This is the most frequent reason for a rejection.
 */
const lacksAuthorization = (n: number): boolean => n % classes < 12 && n % 5 === 0 && openStageOf(n) === undefined

/** The statuses in which applications of the last days stay, by customer class. */
const openStages = {
  1: "QUOTING",
  3: "AWAITING_SIGNATURE",
  5: "CORRECTION_NEEDED",
  9: "DISBURSEMENT_FAILED",
  10: "REFUND_PENDING",
  11: "AWAITING_SIGNATURE"
} as const

/** Returns the status in which a history stays. Undefined if it reaches a final status. */
const openStageOf = (n: number) => {
  const isInLastRound = n >= (rounds - 1) * classes
  if (!isInLastRound) return undefined
  const customerClass = String(n % classes)
  return Object.entries(openStages).find(([key]) => key === customerClass)?.[1]
}

/** An application that stays open is opened this long before the end, in milliseconds. */
const openMs = 34 * hour

/** Returns the time at which a history starts. The classes of a round are opened in a mixed order, one per day. */
const openedAt = (n: number, { firstOpened, until }: Timeline): number =>
  openStageOf(n) === undefined
    ? firstOpened + (Math.floor(n / classes) * classes + (n % classes * 17 + 3) % classes) * apartMs
    : until - openMs

type Command = Pick<LoanCommand, "_tag"> & Readonly<Record<string, unknown>>

/**
 * Simulates history `n`: runs commands of callers and of durable jobs until no job is pending. A command that the
 * domain rejects changes nothing. Returns an application, with placeholders such as `~name~` for texts that differ
 * between applications, and the time of its last KYC submission.
 *
 * The history of a returning customer ends before an acceptance, because the customer's first contract may already
 * pledge the same annual withdrawals.
 */
export const growHistory = (
  n: number,
  { isReturning, timeline }: { readonly isReturning: boolean; readonly timeline: Timeline }
) => {
  const variant = n % classes + Math.floor(n / classes)
  const kyc = kycOf(n % classes, variant)
  const { birth_date, cpf, email, name, phone } = kyc
  const wish = {
    max_installments: [null, 2, null, 5][variant % 4] ?? null,
    desired_amount: variant % 6 === 5 ? 300_00 + 50_00 * (variant % 30) : null
  }
  const stage = isReturning ? undefined : openStageOf(n)
  let millis = openedAt(n, timeline)
  const fits = (time: number): boolean => millis + time + shiftMs <= timeline.until
  let kycAt: string | null = null
  /** Advances the time of the history by a part of `longest`, and returns the new time. */
  const wait = (longest: number): Timestamp => {
    millis = sameDayFrom(millis + Math.ceil(longest * (1 + n * 31 % 97) / 97))
    return timestampOf(millis)
  }
  let application: Application = openApplication(
    {
      _tag: "ApplicationOpened",
      at: wait(4 * hour),
      application_id: "~id~00",
      external_id: "~external_id~",
      partner_id: "~partner~",
      created_by: "~opener~",
      customer: { cpf, birth_date, name, email: variant % 3 === 0 ? null : email, phone },
      quote_id: "~id~10",
      wish
    } as Parameters<typeof openApplication>[0]
  )

  const send = (at: Timestamp, command: Command): void => {
    const { kyc } = application
    const events = Result.getOrElse(decide({ at, ...command } as LoanCommand, application), () => [])
    application = events.reduce(evolve, application)
    if (application.kyc !== kyc) kycAt = at
  }

  /** Records the sandbox's answer to the latest quote. */
  const recordQuote = (): void => {
    const { created_at, number, quote_id, wish } = latestQuote(application)
    const released_on = saoPauloDate(created_at)
    const request = { number, attempt: maxAttempts, requested_at: created_at, released_on, wish }
    const { customer } = application
    const cpf = number === 1 && lacksAuthorization(n) ? sandboxCpf("91") : customer.cpf
    const answer = sandboxAnswer({ ...request, customer: { ...customer, cpf }, policy: policyOn(released_on) })
    const rejection = rejectionReason("UPSTREAM_UNAVAILABLE", "The lender did not answer.")
    const offer_ids = [1, 2, 3].map((offer) => `~id~${number}${offer}`)
    const result = answer.quotation ?? { kind: "FAILED", rejection }
    send(wait(15_000), { _tag: "RecordQuote", quote_id, offer_ids, result, lender: "sandbox" })
  }

  const submitKyc = (values: object): void =>
    send(wait(4 * hour), { _tag: "SubmitKyc", kyc: { ...emptyKyc, ...values }, has_disbursement_data: true })

  const accept = (offer_id: string | undefined): void => {
    const at = wait(3 * hour)
    const { created_by } = application
    const user_agent = "Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Mobile"
    const acceptance = { accepted_at: at, ip: "203.0.113.7", user_agent }
    send(at, {
      _tag: "AcceptOffer",
      offer_id,
      proposal_id: "~id~01",
      number: "~number~",
      created_by,
      acceptance,
      pledges: []
    })
  }

  /** Returns the net amount of the accepted offer, or 0 without one. */
  const netAmount = (): number => isContracted(application) ? acceptedTerms(application).net_amount : 0

  const { contract, contract_refusal: refusal } = sandboxScenario(sandboxDigits(application.customer.cpf))
  const recordContract = (status: string, disbursement_attempt: number, reference = "sandbox-~number~"): void => {
    const signature_url = status === "AWAITING_SIGNATURE"
      ? `https://sandbox.invalid/signature?reference=${reference}`
      : null
    const { contract_refusal } = sandboxScenario("88")
    const lastRefusal = status === contract.at(-1) ? refusal : null
    const refused = status === "DISBURSEMENT_FAILED" ? contract_refusal : lastRefusal
    const rejection = refused === null ? null : rejectionReason(refused.code, refused.message)
    const expires_at = timestampOf(timeline.until + 6 * 24 * hour)
    const refund = { amount: netAmount(), pix_copy_paste: `pix-${reference}`, expires_at }
    const facts = {
      reference,
      status,
      signature_url,
      rejection,
      disbursement_attempt,
      ...(status === "REFUND_PENDING" ? { refund } : {})
    }
    send(wait(3 * hour), { _tag: "RecordContract", contract: facts })
  }

  /** The reference of a sandbox contract that stays unchanged: no step happens for a year. */
  const openReference = (name: string, exit = ""): string => {
    const later = timeline.until + 365 * 24 * hour
    return `sandbox.${name}.~id~01.${later}.1.${later}.${netAmount()}${exit === "" ? "" : `.${exit}${later}`}`
  }

  /** Brings the contract into the status in which it stays. */
  const stay = (stage: NonNullable<ReturnType<typeof openStageOf>>): void => {
    if (stage === "CORRECTION_NEEDED") {
      return send(wait(3 * hour), { _tag: "RecordInvalid", fields: ["address.number"] })
    }
    const name = stage === "DISBURSEMENT_FAILED" ? "payment-failed" : "usual"
    const reference = openReference(name, stage === "REFUND_PENDING" ? "r" : "")
    recordContract("AWAITING_SIGNATURE", 1, reference)
    if (stage === "AWAITING_SIGNATURE") return
    for (const status of ["GUARANTEE_PENDING", "DISBURSING"]) recordContract(status, 1, reference)
    recordContract(stage === "REFUND_PENDING" ? "PAID" : stage, 1, reference)
    if (stage !== "REFUND_PENDING") return
    const exits = { cancel: true, refund: true, signature_link: true }
    send(wait(hour), { _tag: "WithdrawFromProposal", reason: "CUSTOMER_REQUEST", exits })
    recordContract("REFUND_PENDING", 1, reference)
  }

  if (stage === "QUOTING") return { application, kycAt }
  recordQuote()
  if (stage === undefined && variant % 3 === 1 && fits(25 * hour)) {
    send(timestampOf(millis += 24 * hour), { _tag: "RequestQuote", quote_id: "~id~20", wish })
    recordQuote()
  }
  const { offers } = latestQuote(application)
  if (offers.length === 0 || stage === undefined && (variant % 4 === 3 || !fits(4 * hour))) {
    return { application, kycAt }
  }
  submitKyc(stage === undefined && variant % 8 === 6 ? { name, cpf, birth_date } : kyc)
  if (isReturning || stage === undefined && !fits(contractMs)) return { application, kycAt }
  accept(offers[variant % offers.length]?.offer_id)
  if (stage !== undefined) {
    stay(stage)
    return { application, kycAt }
  }
  for (const status of ["AWAITING_SIGNATURE", ...contract]) recordContract(status, 1)
  if (application.proposal?.status === "DISBURSEMENT_FAILED") {
    submitKyc({ ...kyc, ...transfer })
    recordContract("PAID", 2)
  }
  return { application, kycAt }
}
