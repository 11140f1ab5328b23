import { Result } from "effect"
import * as fc from "fast-check"
import { emptyKyc, type KycValues } from "../../src/kyc/KycValues.ts"
import { type Application, latestQuote, recordingTime } from "../../src/loan/Application.ts"
import { cancellationReasons } from "../../src/loan/ContractFacts.ts"
import { decide } from "../../src/loan/decide.ts"
import { evolve } from "../../src/loan/evolve.ts"
import { lenderContractStatuses, noExits } from "../../src/loan/LenderContract.ts"
import { type LoanCommand, type LoanRefusal } from "../../src/loan/LoanCommand.ts"
import { type LoanEvent } from "../../src/loan/LoanEvent.ts"
import { rejectionCodes } from "../../src/offer/RejectionReason.ts"
import { addDays, saoPauloDate } from "../../src/values/CalendarDate.ts"
import { type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"
import {
  accept,
  allExits,
  cancel,
  completeKyc,
  failQuote,
  hourMs,
  lenderOffer,
  msAfter,
  newApplication,
  noon,
  offerId,
  priceQuote,
  refund,
  refuseRequest,
  refuseSubmission,
  rejectQuote,
  renewLink,
  requote,
  returnContractOfAnother,
  startSubmission,
  submitKyc,
  updateContract,
  withdraw
} from "./examples.ts"

/** One step of a history: the clock changes, then a command is decided. */
export interface Step {
  /** Changes the clock before the command, depending on the application. */
  readonly clock: (application: Application, clock: Timestamp) => Timestamp
  readonly command: (application: Application, at: Timestamp) => LoanCommand
}

/** A command with its decision. */
export interface PlayedStep {
  readonly clock: Timestamp
  readonly at: Timestamp
  readonly command: LoanCommand
  readonly before: Application
  readonly decided: Result.Result<ReadonlyArray<LoanEvent>, LoanRefusal>
  readonly after: Application
}

/** Start of a history: two days before a policy ends, or in the middle of a policy. */
export const startTimes: fc.Arbitrary<Timestamp> = fc.constantFrom(
  timestampOf(Date.UTC(2025, 9, 30, 12)),
  timestampOf(Date.UTC(2026, 9, 31, 20)),
  timestampOf(Date.UTC(2026, 0, 31, 12))
)

/** Moves the clock near the expiry of an offer of the latest quote, if there is one. */
const aroundExpiry = (place: number, by: number): Step["clock"] => (application, clock) => {
  const { offers } = latestQuote(application)
  const offer = offers[place % Math.max(offers.length, 1)]
  return offer === undefined ? clock : msAfter(by, offer.expires_at)
}

const clocks: fc.Arbitrary<Step["clock"]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step["clock"]>((_, clock) => clock) },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 4 * hourMs }).map((by): Step["clock"] => (_, clock) => msAfter(by, clock))
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 30 * hourMs }).map((by): Step["clock"] => (_, clock) => msAfter(-by, clock))
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: -1, max: 1 })).map((at) => aroundExpiry(...at))
  }
)

/** The age of the quote that a result is for: usually the latest, sometimes an older one. */
const quotes = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, {
  weight: 1,
  arbitrary: fc.integer({ min: 1, max: 2 })
})

/** Offers of up to three tables, some with a short validity. */
const offers = fc.array(
  fc.record({
    fee: fc.constantFrom(0, 10_00, 90_00),
    amounts: fc.constantFrom([300_00, 240_00, 180_00], [500_00], [120_00, 100_00], [100_00, 99_99], [200_00, 0]),
    valid_for: fc.option(fc.integer({ min: -1, max: 3 * hourMs }), { freq: 2 })
  }),
  { minLength: 0, maxLength: 3 }
)

/** The number of days for which other contracts of the customer block an acceptance. */
const blockedDays = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(1, 2, 400) }
)

const result: fc.Arbitrary<Step["command"]> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(quotes, offers, blockedDays).map(
      ([back, given, days]): Step["command"] => (application, at) => ({
        ...priceQuote(
          Math.max(application.quotes.length - back, 1),
          at,
          given.map(({ amounts, fee, valid_for }, index) =>
            lenderOffer(`table-${index}`, {
              at: latestQuote(application).created_at,
              fee,
              amounts: amounts.filter((amount) => amount > 0),
              valid_until: valid_for === null ? null : msAfter(valid_for, at)
            })
          )
        ),
        blocked_until: days === null ? null : addDays(saoPauloDate(at), days)
      })
    )
  },
  {
    weight: 1,
    arbitrary: fc.tuple(quotes, fc.constantFrom(...rejectionCodes), fc.option(fc.nat({ max: 3 * hourMs }))).map(
      ([back, code, wait]): Step["command"] => ({ quotes }, at) =>
        rejectQuote(Math.max(quotes.length - back, 1), code, at, wait === null ? null : msAfter(wait, at))
    )
  },
  {
    weight: 1,
    arbitrary: quotes.map((back): Step["command"] => ({ quotes }, at) =>
      failQuote(Math.max(quotes.length - back, 1), at)
    )
  }
)

/** A complete KYC, or a change of one field or of the account. */
const kyc: fc.Arbitrary<Step["command"]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step["command"]>((_, at) => submitKyc(completeKyc, at)) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...Object.keys(emptyKyc) as ReadonlyArray<keyof KycValues>), fc.boolean()).map(
      ([field, says]): Step["command"] => ({ kyc }, at) => submitKyc({ ...(kyc ?? emptyKyc), [field]: null }, at, says)
    )
  },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 5 }).map((number): Step["command"] => ({ kyc }, at) =>
      submitKyc({ ...(kyc ?? completeKyc), pix: { type: "EMAIL", key: `maria${number}@example.com` } }, at)
    )
  }
)

/** Any offer, usually the best of the latest quote. */
const acceptance: fc.Arbitrary<Step["command"]> = fc.option(fc.nat({ max: 10 }), { freq: 2 }).map(
  (pick): Step["command"] => (application, at) => {
    const all = application.quotes.flatMap(({ offers }) => offers)
    const offer = pick === null ? latestQuote(application).offers[0] : all[pick % Math.max(all.length, 1)]
    return accept(offer?.offer_id ?? offerId(9, 9), at, 5_000 + application.version)
  }
)

const moves: fc.Arbitrary<Step["command"]> = fc.record({
  status: fc.constantFrom(...lenderContractStatuses),
  disbursement_attempt: fc.integer({ min: 1, max: 3 }),
  reference: fc.constantFrom("contract-1", "contract-1", "contract-2"),
  signature_url: fc.constantFrom(null, "https://lender.example/sign/1", "https://lender.example/sign/2"),
  refund: fc.constantFrom(null, refund),
  paid: fc.constantFrom(null, { amount: refund.amount, at: noon, end_to_end_id: "E1" })
}).map(({ status, ...changes }): Step["command"] => (_, at) => updateContract(status, at, changes))

const exits = fc.option(fc.constantFrom(allExits, noExits), { freq: 5 })

/** Corrections, cancellations, withdrawals, signature links, and the lender's answers to them. */
const exitCommands: fc.Arbitrary<Step["command"]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Step["command"]>((_, at) => startSubmission(at)) },
  {
    weight: 3,
    arbitrary: fc.subarray(["phone", "address.zipcode", "pix", "name", "unknown"]).map(
      (fields): Step["command"] => (_, at) => refuseSubmission(fields, at)
    )
  },
  {
    weight: 2,
    arbitrary: fc.tuple(exits, fc.constantFrom(...cancellationReasons)).map(
      ([exits, reason]): Step["command"] => (_, at) => cancel(at, exits, reason)
    )
  },
  { weight: 2, arbitrary: exits.map((exits): Step["command"] => (_, at) => withdraw(at, exits)) },
  { weight: 1, arbitrary: exits.map((exits): Step["command"] => (_, at) => renewLink(at, exits)) },
  { weight: 1, arbitrary: fc.constant<Step["command"]>((_, at) => ({ _tag: "RecordNoContract", at })) },
  { weight: 1, arbitrary: fc.constant<Step["command"]>((_, at) => returnContractOfAnother("taken", at)) },
  { weight: 1, arbitrary: fc.constant<Step["command"]>((_, at) => ({ _tag: "ExpireProposal", at })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("UNSUPPORTED" as const, "REFUSED" as const).map(
      (cause): Step["command"] => (application, at) => refuseRequest(application, at, cause)
    )
  }
)

const commands: fc.Arbitrary<Step["command"]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constant<Step["command"]>(({ quotes }, at) => requote(quotes.length + 1, at))
  },
  { weight: 5, arbitrary: result },
  { weight: 3, arbitrary: kyc },
  { weight: 3, arbitrary: acceptance },
  { weight: 6, arbitrary: moves },
  { weight: 4, arbitrary: exitCommands }
)

/** The usual course. A history begins with any prefix of it. */
const usual: ReadonlyArray<Step["command"]> = [
  (_, at) => priceQuote(1, at),
  (_, at) => submitKyc(completeKyc, at),
  (application, at) => accept(latestQuote(application).offers[0]?.offer_id ?? offerId(9, 9), at),
  (_, at) => startSubmission(at),
  (_, at) => updateContract("DISBURSEMENT_FAILED", at),
  (_, at) => updateContract("PAID", at, { disbursement_attempt: 9 })
]

/** A course with refused data, which is corrected or cancelled. */
const corrected: ReadonlyArray<Step["command"]> = [
  ...usual.slice(0, 4),
  (_, at) => refuseSubmission(["phone"], at),
  (_, at) => submitKyc(completeKyc, at)
]

/** A course with refused data, of which the lender has a contract all the same. */
const examined: ReadonlyArray<Step["command"]> = [
  ...corrected.slice(0, 5),
  (_, at) => updateContract("IN_ANALYSIS", at)
]

/** A course with the request of a new signature link. */
const relinked: ReadonlyArray<Step["command"]> = [
  ...usual.slice(0, 4),
  (_, at) => updateContract("AWAITING_SIGNATURE", at),
  (_, at) => renewLink(at)
]

/** A course with a failed payment that is repeated to another account. */
const repaid: ReadonlyArray<Step["command"]> = [
  ...usual.slice(0, 5),
  ({ kyc }, at) => submitKyc({ ...(kyc ?? completeKyc), pix: { type: "EMAIL", key: "outra@example.com" } }, at)
]

/** A course that is cancelled before its submission starts. */
const cancelled: ReadonlyArray<Step["command"]> = [...usual.slice(0, 3), (_, at) => cancel(at)]

const courses = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(usual, usual, corrected, repaid, examined, relinked) },
  { weight: 1, arbitrary: fc.constant(cancelled) }
)

const begun: fc.Arbitrary<ReadonlyArray<Step>> = fc.tuple(courses, fc.nat({ max: 6 }))
  .map(([course, length]) =>
    course.slice(0, length).map((command) => ({ command, clock: (_, clock) => msAfter(60_000, clock) }))
  )

export const histories: fc.Arbitrary<ReadonlyArray<Step>> = fc.tuple(
  begun,
  fc.array(fc.record({ clock: clocks, command: commands }), { minLength: 1, maxLength: 20, size: "max" })
).map((parts) => parts.flat())

/** Plays steps against a new application. Refused commands change nothing. */
export const playHistory = (begins: Timestamp, history: ReadonlyArray<Step>): ReadonlyArray<PlayedStep> => {
  const played: Array<PlayedStep> = []
  let application = newApplication(begins)
  let now = begins
  for (const { clock, command } of history) {
    now = clock(application, now)
    const at = recordingTime(application, now)
    const given = command(application, at)
    const decided = decide(given, application)
    const before = application
    if (Result.isSuccess(decided)) application = decided.success.reduce(evolve, application)
    played.push({ clock: now, at, command: given, before, decided, after: application })
  }
  return played
}

/** The number of random histories that the tests share. */
const count = 500

const seed = Math.floor(Math.random() * 2 ** 31)

let shared: ReadonlyArray<readonly [Timestamp, ReadonlyArray<PlayedStep>]> | undefined

/**
 * Checks a property for 500 random histories. The tests in one process share them, because drawing and playing
 * the histories takes longer than checking them. If the property fails, fast-check draws them again from the same seed, and
 * finds a shorter history.
 */
export const forHistories = (property: (played: ReadonlyArray<PlayedStep>, begins: Timestamp) => void): void => {
  shared ??= fc.sample(fc.tuple(startTimes, histories), { numRuns: count, seed })
    .map(([begins, history]) => [begins, playHistory(begins, history)])
  try {
    for (const [begins, played] of shared) property(played, begins)
  } catch (error) {
    fc.assert(
      fc.property(startTimes, histories, (begins, history) => property(playHistory(begins, history), begins)),
      { numRuns: count, seed }
    )
    throw error
  }
}
