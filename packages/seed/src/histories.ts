import { sandboxAnswer, sandboxCpf, sandboxDigits, sandboxScenario, sandboxScenarios } from "@lastro/domain/adapters"
import {
  type Application,
  type ApplicationCommand,
  type ApplicationOpened,
  applicationStatus,
  decideApplication,
  emptyKyc,
  evolveApplication,
  isComplete,
  isQuotable,
  isWithinPolicy,
  type KycValues,
  latestQuote,
  openApplication,
  policyOn,
  type RejectionReason,
  rejectionReason
} from "@lastro/domain/fgts"
import { type OfferId, type QuoteId } from "@lastro/domain/id"
import { type LenderContract } from "@lastro/domain/lender"
import { centavos } from "@lastro/domain/money"
import { maxAttempts } from "@lastro/domain/origination"
import {
  addDays,
  calendarDate,
  millisOf,
  saoPauloDate,
  saoPauloMidnight,
  type Timestamp,
  timestampOf
} from "@lastro/domain/time"
import { Result } from "effect"
import { addresses } from "./names.ts"
import { type Randomness, randomness } from "./Randomness.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** CPF endings for which the sandbox lender does something unusual. */
export const unusualEndings = [...sandboxScenarios.keys()]

/**
 * Customer classes: usual customers by birth month, then one class for each unusual CPF ending. A round has one history of each
 * class; one history opens every other day.
 */
export const classes = 12 + unusualEndings.length
export const rounds = 30
export const roundMs = classes * 2 * day
export const firstOpened = Date.UTC(2021, 0, 11, 11)

/** Every partner and user exists by then, so the last round has a history for all of them. */
export const lastCreated = firstOpened + (rounds - 1) * roundMs

/** An application's times are those of its history plus less than this, which leaves the calendar day in São Paulo. */
export const shiftMs = 4 * hour

const mostQuotes = 4

/** Ids in a history. In each application, ids of its own replace them. */
export const idNames = [
  "root",
  "region",
  "partner",
  "opener",
  "application",
  "proposal",
  "pix_key",
  ...[1, 2, 3, 4].flatMap((quote) => [`quote_${quote}`, ...[0, 1, 2].map((offer) => `offer_${quote}_${offer}`)])
]

/** Returns the placeholder of an id. */
export const idSlot = (name: string): string =>
  `00000000-0000-7000-8000-${String(idNames.indexOf(name)).padStart(12, "0")}`

/** Returns the placeholder of any other text that differs between the applications of a history. */
export const textSlot = (name: string): string => `~${name}~`

const bank = {
  bank_code: "104",
  account_type: "CP",
  agency: "1234",
  agency_digit: null,
  account_number: textSlot("account"),
  account_digit: "7"
} as KycValues["bank"]

const kycOf = (customerClass: number, random: Randomness): KycValues => {
  const cpf = sandboxCpf(unusualEndings[customerClass - 12] ?? "00")
  const address = addresses[customerClass % addresses.length]
  const keys = { CPF: cpf, PHONE: `+55${textSlot("phone")}`, EMAIL: textSlot("email"), EVP: idSlot("pix_key") }
  const [type, key] = Object.entries(keys)[random.below(4)] ?? []
  const payment = random.chance(0.75)
    ? { disbursement_method: "PIX", pix: { type, key }, bank: null }
    : { disbursement_method: "BANK_TRANSFER", pix: null, bank }
  return {
    name: textSlot("name"),
    cpf,
    birth_date: calendarDate(`1980-${String(customerClass % 12 + 1).padStart(2, "0")}-15`),
    gender: customerClass % 2 === 0 ? "F" : "M",
    civil_status: customerClass % 3 === 0 ? "MARRIED" : "SINGLE",
    mother_name: textSlot("mother_name"),
    nationality: "Brasileira",
    document: { type: "RG", number: textSlot("document"), issuer: "SSP", uf: "SP", issued_at: "2010-05-04" },
    email: textSlot("email"),
    phone: textSlot("phone"),
    is_pep: false,
    address,
    ...payment
  } as KycValues
}

const wishOf = (random: Randomness) => ({
  max_installments: random.chance(0.5) ? 2 + random.below(6) : null,
  desired_amount: random.chance(0.15) ? centavos(300_00 + 50_00 * random.below(30)) : null
})

/** Postpones an opening until no policy changes during its history. */
const withinPolicy = (millis: number): number =>
  policyAt(millis) === policyAt(millis + 8 * day) ? millis : withinPolicy(millis + day)

const policyAt = (millis: number) => policyOn(saoPauloDate(timestampOf(millis)))

/** Grows the history `n` of a seed by commands that the domain decides. It ends where only a caller can continue it. */
export const growHistory = (n: number, seed: number) => {
  const random = randomness(seed, `history ${n}`)
  const kyc = kycOf(n % classes, random)
  let millis = withinPolicy(firstOpened + n * 2 * day) + random.below(4 * hour)
  let kycAt: string | null = null
  let application: Application = openApplication({
    _tag: "ApplicationOpened",
    at: timestampOf(millis),
    application_id: idSlot("application"),
    external_id: textSlot("external_id"),
    partner_id: idSlot("partner"),
    created_by: idSlot("opener"),
    customer: {
      cpf: kyc.cpf,
      birth_date: kyc.birth_date,
      name: random.chance(0.9) ? kyc.name : null,
      email: random.chance(0.6) ? kyc.email : null,
      phone: random.chance(0.8) ? kyc.phone : null
    },
    quote_id: idSlot("quote_1"),
    wish: wishOf(random)
  } as ApplicationOpened)

  const wait = (most: number): void => {
    millis += 1_000 * (1 + random.below(most / 1_000))
  }
  const apply = (command: (at: Timestamp) => ApplicationCommand): void => {
    const at = timestampOf(millis)
    const before = application
    application = Result.getOrThrow(decideApplication(command(at), before)).reduce(evolveApplication, before)
    if (application.kyc !== before.kyc) kycAt = at
  }
  const submitKyc = (values: KycValues): void =>
    apply((at) => ({ _tag: "SubmitKyc", at, kyc: values, has_disbursement_data: values.disbursement_method !== null }))

  const answerQuote = (): void => {
    const { created_at, number, quote_id, wish } = latestQuote(application)
    const released_on = saoPauloDate(created_at)
    const request = { number, requested_at: created_at, released_on, policy: policyOn(released_on), wish }
    const attempts = Array.from({ length: maxAttempts }, (_, index) => index + 1)
    const [
      result = { kind: "FAILED", rejection: rejectionReason("UPSTREAM_UNAVAILABLE", "The lender did not answer.") }
    ] = attempts.flatMap((attempt) =>
      sandboxAnswer({ ...request, attempt, customer: application.customer }).quotation ?? []
    )
    const offer_ids = [0, 1, 2].map((offer) => idSlot(`offer_${number}_${offer}`) as OfferId)
    wait(15_000)
    apply((at) => ({ _tag: "RecordQuote", at, quote_id, result, offer_ids }))
  }

  /** Submits the customer's data and accepts an offer, each with some probability. */
  const acceptOffer = (): void => {
    if (latestQuote(application).offers.length === 0 || !random.chance(0.65)) return
    wait(4 * hour)
    submitKyc(random.chance(0.85) ? kyc : { ...emptyKyc, name: kyc.name, cpf: kyc.cpf, birth_date: kyc.birth_date })
    wait(3 * hour)
    const at = timestampOf(millis)
    const offers = latestQuote(application).offers.filter((offer) => isWithinPolicy(offer, at))
    const offer = offers[random.chance(0.7) ? 0 : random.below(offers.length)]
    const isAcceptable = applicationStatus(application, at) === "QUOTED" && isComplete(application.kyc ?? emptyKyc)
    if (offer === undefined || !isAcceptable || !random.chance(0.92)) return
    apply(() => ({
      _tag: "AcceptOffer",
      at,
      offer_id: offer.offer_id,
      proposal_id: idSlot("proposal"),
      number: textSlot("number"),
      created_by: application.created_by,
      acceptance: {
        accepted_at: at,
        ip: "203.0.113.7",
        user_agent: "Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Mobile"
      }
    } as ApplicationCommand))
  }

  const recordContract = (
    status: LenderContract["status"],
    disbursement_attempt: number,
    rejection: RejectionReason | null
  ): void => {
    wait(3 * hour)
    const reference = `sandbox-${textSlot("number")}`
    const signature_url = status === "AWAITING_SIGNATURE" ? `https://sandbox.invalid/signatures/${reference}` : null
    apply((at) => ({
      _tag: "RecordContract",
      at,
      contract: { reference, status, signature_url, rejection, disbursement_attempt }
    }))
  }

  /** Runs the contract to its end. A failed payment is made again, to a bank account. */
  const finishContract = (): void => {
    const { contract, contract_refusal: refusal } = sandboxScenario(sandboxDigits(application.customer.cpf))
    recordContract("AWAITING_SIGNATURE", 1, null)
    for (const status of contract) {
      const isRefused = refusal !== null && status === contract.at(-1)
      recordContract(status, 1, isRefused ? rejectionReason(refusal.code, refusal.message) : null)
    }
    if (contract.at(-1) !== "DISBURSEMENT_FAILED") return
    wait(day)
    submitKyc({ ...kyc, disbursement_method: "BANK_TRANSFER", bank })
    recordContract("PAID", 2, null)
  }

  for (let number = 1; application.proposal === null; number++) {
    answerQuote()
    acceptOffer()
    if (application.proposal !== null) finishContract()
    millis = millisOf(saoPauloMidnight(addDays(saoPauloDate(timestampOf(millis)), 1))) + 8 * hour +
      random.below(4 * hour)
    if (number === mostQuotes || !random.chance(0.4) || !isQuotable(application, timestampOf(millis))) break
    const quote_id = idSlot(`quote_${number + 1}`) as QuoteId
    apply((at) => ({ _tag: "RequestQuote", at, quote_id, wish: wishOf(random) }))
  }
  return { application, kycAt }
}
