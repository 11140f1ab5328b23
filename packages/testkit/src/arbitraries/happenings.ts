import { type Centavos, centavos, type Customer, type KycValues, ProposalStatus, type QuoteWish } from "@lastro/domain"
import * as fc from "fast-check"
import { completeKyc, kyc } from "./kyc.ts"
import { quotation, type QuotationExample } from "./quotations.ts"

/** Something that may happen to an application; what makes no sense for how it stands changes nothing. */
export type Happening =
  | { readonly _tag: "Requote"; readonly id: string; readonly wish: QuoteWish }
  /** What comes of the latest quote; `null` is that the lender could not be asked. */
  | { readonly _tag: "Quotation"; readonly answer: QuotationExample | null; readonly ids: ReadonlyArray<string> }
  | { readonly _tag: "Kyc"; readonly kyc: KycValues }
  /** Offers of the latest quote are meant by their place, counted around. */
  | { readonly _tag: "Accept"; readonly offer: number; readonly id: string; readonly number: string }
  | {
    readonly _tag: "Contract"
    readonly status: Exclude<ProposalStatus, "SUBMITTING">
    /** Whether the lender has another name for the contract by now. */
    readonly renamed: boolean
  }

/** A happening so many milliseconds after the one before it. */
export type Timed = readonly [pause: number, happening: Happening]

/** What a consumer wishes of a quote; nothing, most of the time. */
export const wish: fc.Arbitrary<QuoteWish> = fc.record({
  max_installments: fc.option(fc.integer({ min: 1, max: 10 }), { freq: 3 }),
  desired_amount: fc.option(fc.integer({ min: 1, max: 1_500_00 }).map(centavos), { freq: 3 })
})

const uuid = fc.uuid({ version: 7 })

const ids = fc.array(uuid, { minLength: 4, maxLength: 4 })

/** Ten characters of Crockford's base 32. */
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

/** How a contract may stand with a lender. */
export const lenderStatus = fc.constantFrom(...ProposalStatus.literals.filter((status) => status !== "SUBMITTING"))

const movement = fc.record({
  _tag: fc.constant("Contract" as const),
  status: lenderStatus,
  renamed: fc.nat({ max: 9 }).map((one) => one === 0)
})

/** Anything that may happen to an application of a customer. */
const happening = (customer: Customer): fc.Arbitrary<Happening> =>
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
    { weight: 4, arbitrary: movement }
  )

const balance: fc.Arbitrary<Centavos> = fc.integer({ min: 2_000_00, max: 20_000_00 }).map(centavos)

/** The way most applications go: offers, a complete KYC, and the acceptance of an offer. */
const usualWay = (customer: Customer): fc.Arbitrary<ReadonlyArray<Happening>> =>
  fc.record({ balance, rate: fc.integer({ min: 0, max: 300 }), kyc: completeKyc(customer), ids, acceptance }).map(
    ({ acceptance, balance, ids, kyc, rate }) => {
      const table = { fee: { kind: "none" }, monthly_rate: rate / 100, balance, valid_ms: null, spoiled: null } as const
      const tables = ["A", "B"].map((code, index) => ({ ...table, code, monthly_rate: (rate + index) / 100 }))
      return [{ _tag: "Quotation", answer: { kind: "PRICED", tables }, ids }, { _tag: "Kyc", kyc }, acceptance]
    }
  )

/** Milliseconds between two happenings: none at times, minutes mostly, now and then days. */
const pause = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 30 * 60_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 48 * 3_600_000 }) }
)

/** Milliseconds in which no offer expires that was just made. */
const soon = fc.integer({ min: 0, max: 30 * 60_000 })

const timed = (happenings: ReadonlyArray<Happening>): fc.Arbitrary<ReadonlyArray<Timed>> =>
  fc.tuple(...happenings.map((happening) => soon.map((pause): Timed => [pause, happening])))

/** What happens to an application of a customer: a part of the usual way, and then anything. */
export const happenings = (customer: Customer, maxLength: number): fc.Arbitrary<ReadonlyArray<Timed>> =>
  fc.tuple(
    fc.tuple(fc.nat({ max: 3 }), usualWay(customer)).chain(([length, way]) => timed(way.slice(0, length))),
    fc.array(fc.tuple(pause, happening(customer)), { maxLength, size: "max" })
  ).map((parts) => parts.flat())

/** What happens to an application of a customer who accepts an offer, and what the lender makes of that. */
export const contractedHappenings = (customer: Customer): fc.Arbitrary<ReadonlyArray<Timed>> =>
  fc.tuple(usualWay(customer).chain(timed), fc.array(fc.tuple(soon, movement), { maxLength: 3 })).map((parts) =>
    parts.flat()
  )
