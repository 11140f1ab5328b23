import { centavos, type LenderContract } from "@lastro/domain"
import * as fc from "fast-check"
import { lenderStatus } from "../arbitraries/historyInputs.ts"
import { quotation, type QuotationExample } from "../arbitraries/quotations.ts"
import { type Deed } from "../lender/ScriptedLender.ts"

/** How much a submitted KYC tells: all of it, of somebody exposed or not, all but one field, or only where to pay. */
export type ToldKyc =
  | { readonly tells: "all"; readonly bank: boolean; readonly is_pep: boolean }
  | { readonly tells: "all but"; readonly field: string }
  | { readonly tells: "where to pay"; readonly bank: boolean }

/** Something done to an application, or to what surrounds it. Works, questions and offers are meant by their place, counted around. */
export type Step =
  | { readonly does: "requote"; readonly max_installments: number | null }
  | { readonly does: "kyc"; readonly kyc: ToldKyc }
  | { readonly does: "accept"; readonly offer: number; readonly terms_accepted: boolean }
  /** Begins promised work, be it done already: a quote is asked for, a contract submitted. */
  | { readonly does: "work"; readonly work: number; readonly deed: Deed }
  /** The lender answers an open question, or the work that asked it crashes. */
  | { readonly does: "answer"; readonly question: number; readonly answer: QuotationExample | "crash" | "silence" }
  /** The lender moves its contract, and that is learnt. */
  | {
    readonly does: "contract"
    readonly status: LenderContract["status"]
    /** The payment that it tells of; null for the last one asked for. */
    readonly attempt: number | null
    /** Whether the lender tells of it unasked. */
    readonly unasked: boolean
  }
  | { readonly does: "wait"; readonly ms: number }
  /** The clock is set about the instant at which an offer expires. */
  | { readonly does: "expire"; readonly offer: number; readonly by: number }

const place = fc.nat({ max: 5 })

const fields = ["name", "mother_name", "is_pep", "document", "address", "disbursement_method", "pix"]

const toldKyc: fc.Arbitrary<ToldKyc> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ tells: fc.constant("all"), bank: fc.boolean(), is_pep: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ tells: fc.constant("all but"), field: fc.constantFrom(...fields) }) },
  { weight: 2, arbitrary: fc.record({ tells: fc.constant("where to pay"), bank: fc.boolean() }) }
)

const deed = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Deed>("done") },
  { weight: 1, arbitrary: fc.constantFrom<Deed>("lost", "undone") }
)

const answer = fc.oneof(
  { weight: 6, arbitrary: quotation },
  { weight: 1, arbitrary: fc.constantFrom("crash" as const, "silence" as const) }
)

const accept = fc.record({
  does: fc.constant("accept" as const),
  offer: place,
  terms_accepted: fc.nat({ max: 9 }).map((one) => one > 0)
})

const contract = fc.record({
  does: fc.constant("contract" as const),
  status: lenderStatus,
  attempt: fc.option(fc.constant(1), { freq: 2 }),
  unasked: fc.boolean()
})

const expire = fc.record({ does: fc.constant("expire" as const), offer: place, by: fc.integer({ min: -1, max: 1 }) })

const wait = fc.record({
  does: fc.constant("wait" as const),
  ms: fc.oneof(fc.integer({ min: -60_000, max: -1 }), fc.integer({ min: 0, max: 60_000 }), fc.nat({ max: 7_200_000 }))
})

const kyc = fc.record({ does: fc.constant("kyc" as const), kyc: toldKyc })

/** Anything that may be done, in any order. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("requote"),
      max_installments: fc.option(fc.integer({ min: 1, max: 10 }), { freq: 3 })
    })
  },
  { weight: 3, arbitrary: kyc },
  { weight: 4, arbitrary: accept },
  { weight: 5, arbitrary: fc.record({ does: fc.constant("work"), work: place, deed }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant("answer"), question: place, answer }) },
  { weight: 4, arbitrary: contract },
  { weight: 2, arbitrary: wait },
  { weight: 2, arbitrary: expire }
)

const answerOf = (spoiled: "count" | null): QuotationExample => ({
  kind: "PRICED",
  tables: ["A", "B"].map((code, index) => ({
    code,
    monthly_rate: 1.8 - index / 10,
    fee: { kind: "none" },
    balance: centavos(5_000_00),
    valid_ms: null,
    spoiled
  }))
})

/** Two offers, best first. */
export const usualAnswers = answerOf(null)

const ask: Step = { does: "work", work: 0, deed: "done" }
const offers: Step = { does: "answer", question: 0, answer: usualAnswers }
const refusal: Step = {
  does: "answer",
  question: 0,
  answer: { kind: "REFUSED", code: "BIRTHDAY_WINDOW", retry_ms: 60_000 }
}
const another: Step = { does: "requote", max_installments: null }
const toldAll: Step = { does: "kyc", kyc: { tells: "all", bank: false, is_pep: false } }
const agree: Step = { does: "accept", offer: 0, terms_accepted: true }
const submit: Step = { does: "work", work: 1, deed: "done" }
const moved = (status: LenderContract["status"]): Step => ({ does: "contract", status, attempt: null, unasked: false })
const payToBank: Step = { does: "kyc", kyc: { tells: "where to pay", bank: true } }
const payAgain: Step = { does: "work", work: 2, deed: "done" }

/** The way most applications go, up to a payment that fails. */
export const usualSteps: ReadonlyArray<Step> = [ask, offers, toldAll, agree, submit, moved("DISBURSEMENT_FAILED")]

const way = (steps: ReadonlyArray<Step>, end: fc.Arbitrary<Step>): fc.Arbitrary<ReadonlyArray<Step>> =>
  end.map((last) => [...steps, last])

/** Ways to where a rule is at stake; anything may follow. */
export const beginnings: fc.Arbitrary<ReadonlyArray<Step>> = fc.oneof(
  fc.nat({ max: usualSteps.length }).map((length) => usualSteps.slice(0, length)),
  way([ask, ask, offers, another], fc.constant(offers)),
  fc.constant([
    ask,
    offers,
    { does: "requote", max_installments: 1 },
    submit,
    { does: "answer", question: 0, answer: answerOf("count") }
  ]),
  way([ask, refusal, { does: "wait", ms: 59_999 }], wait),
  fc.tuple(expire, accept).map((about) => [ask, offers, toldAll, ...about]),
  way(usualSteps, kyc),
  way([...usualSteps, payToBank, payAgain], contract),
  way(usualSteps.slice(0, 5), contract).chain((steps) => way(steps, contract))
)
