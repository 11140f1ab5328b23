import { type Customer, type KycValues } from "@lastro/domain/kyc"
import {
  type CancellationReason,
  cancellationReasons,
  type LenderContractStatus,
  lenderContractStatuses
} from "@lastro/domain/loan"
import { type LoanFee, type QuoteWish, rejectionCodes } from "@lastro/domain/offer"
import { type Centavos, centavos, percent } from "@lastro/domain/values"
import * as fc from "fast-check"
import { type QuotationExample, type TableExample } from "../offer/quotationFor.ts"
import { spoiledOffers } from "../offer/spoilOffer.ts"
import { completeKyc, kyc } from "./kyc.ts"

/** A step in the history of an application. A step that is impossible at that time has no effect. */
export type HistoryInput =
  | { readonly _tag: "Requote"; readonly id: string; readonly wish: QuoteWish }
  /** The answer to the latest quote. Null if the lender is unreachable. */
  | { readonly _tag: "Quotation"; readonly answer: QuotationExample | null; readonly ids: ReadonlyArray<string> }
  | { readonly _tag: "Kyc"; readonly kyc: KycValues }
  /** `offer` is an index into the offers of the latest quote, modulo their number. */
  | { readonly _tag: "Accept"; readonly offer: number; readonly id: string; readonly number: string }
  | { readonly _tag: "Cancel"; readonly reason: CancellationReason }
  /** The customer withdraws from a paid contract, or a new signature link is requested. */
  | { readonly _tag: "Withdraw" | "RenewLink" }
  | {
    readonly _tag: "Contract"
    readonly status: LenderContractStatus
    /** True if the lender has changed the reference of the contract. */
    readonly renamed: boolean
  }

/** A step, and the pause before it in milliseconds. */
export type TimedInput = readonly [pause: number, input: HistoryInput]

/** Requested limits of a quote. Most examples set no limit. */
export const wish: fc.Arbitrary<QuoteWish> = fc.record({
  max_installments: fc.option(fc.integer({ min: 1, max: 10 }), { freq: 3 }),
  desired_amount: fc.option(fc.integer({ min: 1, max: 1_500_00 }).map(centavos), { freq: 3 })
})

const uuid = fc.uuid({ version: 7 })

const ids = fc.array(uuid, { minLength: 4, maxLength: 4 })

/** Proposal numbers: ten characters of Crockford's Base32. */
const proposalNumber = fc.string({
  unit: fc.constantFrom(..."0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
  minLength: 10,
  maxLength: 10
})

const acceptance = fc.record({
  _tag: fc.constant("Accept" as const),
  offer: fc.nat({ max: 3 }),
  id: uuid,
  number: proposalNumber
})

/** Contract statuses at a lender. */
export const lenderStatus = fc.constantFrom(...lenderContractStatuses)

const movement = fc.record({
  _tag: fc.constant("Contract" as const),
  status: lenderStatus,
  renamed: fc.nat({ max: 2 }).map((number) => number === 0)
})

/** Any step in the history of a customer's application. */
const input = (customer: Customer): fc.Arbitrary<HistoryInput> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Requote" as const), id: uuid, wish }) },
    {
      weight: 5,
      arbitrary: fc.record({
        _tag: fc.constant("Quotation" as const),
        answer: fc.option(quotation, { freq: 9 }),
        ids
      })
    },
    { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Kyc" as const), kyc: kyc(customer) }) },
    { weight: 4, arbitrary: acceptance },
    { weight: 4, arbitrary: movement },
    {
      weight: 2,
      arbitrary: fc.record({ _tag: fc.constant("Cancel" as const), reason: fc.constantFrom(...cancellationReasons) })
    },
    { weight: 4, arbitrary: fc.record({ _tag: fc.constantFrom("Withdraw" as const, "RenewLink" as const) }) }
  )

const balance: fc.Arbitrary<Centavos> = fc.integer({ min: 2_000_00, max: 20_000_00 }).map(centavos)

/** The steps of a typical application: offers, a complete KYC, and the acceptance of an offer. */
const typicalSteps = (customer: Customer): fc.Arbitrary<ReadonlyArray<HistoryInput>> =>
  fc.record({ balance, rate: fc.integer({ min: 0, max: 179 }), kyc: completeKyc(customer), ids, acceptance }).map(
    ({ acceptance, balance, ids, kyc, rate }) => {
      const table = { fee: { kind: "none" }, monthly_rate: rate / 100, balance, valid_ms: null, spoiled: null } as const
      const tables = ["A", "B"].map((code, index) => ({ ...table, code, monthly_rate: (rate + index) / 100 }))
      return [{ _tag: "Quotation", answer: { kind: "PRICED", tables }, ids }, { _tag: "Kyc", kyc }, acceptance]
    }
  )

/** The pause between two steps, in milliseconds: mostly minutes, sometimes zero or days. */
const pause = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 30 * 60_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 48 * 3_600_000 }) }
)

/** A pause, in milliseconds, that is too short for new offers to expire. */
const shortPause = fc.integer({ min: 0, max: 30 * 60_000 })

const timed = (inputs: ReadonlyArray<HistoryInput>): fc.Arbitrary<ReadonlyArray<TimedInput>> =>
  fc.tuple(...inputs.map((input) => shortPause.map((pause): TimedInput => [pause, input])))

/** Steps of a customer's application: the first 0 to 3 typical steps, then up to `maxLength` steps of any kind. */
export const historyInputs = (customer: Customer, maxLength: number): fc.Arbitrary<ReadonlyArray<TimedInput>> =>
  fc.tuple(
    fc.tuple(fc.nat({ max: 3 }), typicalSteps(customer)).chain(([length, steps]) => timed(steps.slice(0, length))),
    fc.array(fc.tuple(pause, input(customer)), { maxLength, size: "max" })
  ).map((parts) => parts.flat())

/** Steps of an application: the typical steps, then up to three contract statuses from the lender. */
export const contractedHistoryInputs = (customer: Customer): fc.Arbitrary<ReadonlyArray<TimedInput>> =>
  fc.tuple(typicalSteps(customer).chain(timed), fc.array(fc.tuple(shortPause, movement), { maxLength: 3 }))
    .map((parts) => parts.flat())

const fee: fc.Arbitrary<LoanFee> = fc.oneof(
  fc.constant<LoanFee>({ kind: "none" }),
  fc.integer({ min: 1, max: 2_000 }).map((units): LoanFee => ({ kind: "percent", percent: percent(units / 100) })),
  fc.integer({ min: 1, max: 50_00 }).map((amount): LoanFee => ({ kind: "fixed", amount: centavos(amount) }))
)

/** Fee tables of lenders, at lawful rates. Some produce invalid offers. */
export const lenderTable: fc.Arbitrary<TableExample> = fc.record({
  code: fc.constantFrom("A", "B", "C", "D"),
  monthly_rate: fc.integer({ min: 0, max: 180 }).map((units) => units / 100),
  fee,
  balance: fc.integer({ min: 150_00, max: 20_000_00 }).map(centavos),
  valid_ms: fc.option(fc.integer({ min: 1, max: 48 * 3_600_000 }), { freq: 3 }),
  spoiled: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, fc.constantFrom(...spoiledOffers))
})

/** Rejections with any code. Some state when the customer can retry. */
const refusedQuotation: fc.Arbitrary<QuotationExample & { readonly kind: "REFUSED" }> = fc.record({
  kind: fc.constant("REFUSED"),
  code: fc.constantFrom(...rejectionCodes),
  retry_ms: fc.option(fc.integer({ min: 1, max: 72 * 3_600_000 }))
})

/** Answers of lenders: mostly offers of one to four fee tables, some of them invalid. Other answers are rejections. */
export const quotation: fc.Arbitrary<QuotationExample> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.uniqueArray(lenderTable, { minLength: 1, maxLength: 4, selector: ({ code }) => code })
      .map((tables): QuotationExample => ({ kind: "PRICED", tables }))
  },
  { weight: 1, arbitrary: refusedQuotation }
)
