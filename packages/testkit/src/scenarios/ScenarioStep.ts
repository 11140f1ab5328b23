import { type Customer } from "@lastro/domain/kyc"
import { type CancellationReason, cancellationReasons, type LenderContract } from "@lastro/domain/loan"
import { centavos } from "@lastro/domain/values"
import * as fc from "fast-check"
import { lenderStatus, quotation } from "../arbitraries/historyInputs.ts"
import { kycBody } from "../arbitraries/kyc.ts"
import { aCompleteKyc, exampleBank } from "../builders/aCompleteKyc.ts"
import { type LenderAction } from "../lender/ScriptedLender.ts"
import { type QuotationExample } from "../offer/quotationFor.ts"

/** The fields of a KYC submission: all of them, all but one, only the disbursement account, or only the phone. */
export type KycFields =
  | { readonly fields: "all"; readonly bank: boolean; readonly is_pep: boolean }
  | { readonly fields: "all but one"; readonly missing: string }
  | { readonly fields: "account"; readonly bank: boolean }
  | { readonly fields: "phone"; readonly phone: string }

/**
 * A step of a scenario. An index selects a job, a held quote request or an offer, modulo the length of the list. A held
 * request is one that the lender has not answered yet.
 */
export type ScenarioStep =
  | { readonly _tag: "Requote"; readonly max_installments: number | null }
  | { readonly _tag: "SubmitKyc"; readonly kyc: KycFields }
  | { readonly _tag: "AcceptOffer"; readonly offer: number; readonly terms_accepted: boolean }
  | { readonly _tag: "CancelApplication"; readonly reason: CancellationReason }
  /** The customer withdraws from a paid contract, or a new signature link is requested. */
  | { readonly _tag: "Withdraw" | "RenewSignatureLink" }
  /** Runs a job that requests a quote or submits a contract. A job that has ended runs again. */
  | { readonly _tag: "RunJob"; readonly job: number; readonly lender: LenderAction }
  /** The lender answers a held quote request or times out, or the job that sent the request crashes. */
  | { readonly _tag: "AnswerQuote"; readonly request: number; readonly answer: QuotationExample | "crash" | "timeout" }
  /** The lender changes the status of its contract, and the application records the new status. */
  | {
    readonly _tag: "MoveContract"
    readonly status: LenderContract["status"]
    /** The payment attempt of the status, starting at 1. Null: the last requested attempt. */
    readonly attempt: number | null
    /** True if a callback brings the status, false if a job polls it. */
    readonly is_pushed: boolean
  }
  | { readonly _tag: "Wait"; readonly ms: number }
  /** Sets the clock to the expiry of an offer plus an offset. */
  | { readonly _tag: "GoToExpiry"; readonly offer: number; readonly offset_ms: number }

const bankAccount = { disbursement_method: "BANK_TRANSFER", bank: exampleBank } as const
const pixAccount = { disbursement_method: "PIX", pix: { type: "EMAIL", key: "ana@example.com" } } as const

/** Returns the request body of a KYC submission. */
export const kycBodyOf = (customer: Customer, kyc: KycFields): Readonly<Record<string, unknown>> => {
  switch (kyc.fields) {
    case "all":
      return kycBody(aCompleteKyc({ ...(kyc.bank ? bankAccount : {}), is_pep: kyc.is_pep }).for(customer).build())
    case "all but one":
      return { ...kycBody(aCompleteKyc().for(customer).build()), [kyc.missing]: null }
    case "account":
      return kyc.bank ? bankAccount : pixAccount
    case "phone":
      return { phone: kyc.phone }
  }
}

const index = fc.nat({ max: 5 })

const requiredFields = ["name", "mother_name", "is_pep", "document", "address", "disbursement_method", "pix"]

const kycFields: fc.Arbitrary<KycFields> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ fields: fc.constant("all"), bank: fc.boolean(), is_pep: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ fields: fc.constant("all but one"), missing: fc.constantFrom(...requiredFields) })
  },
  { weight: 2, arbitrary: fc.record({ fields: fc.constant("account"), bank: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ fields: fc.constant("phone"), phone: fc.constantFrom("11987654321", "11912345678") })
  }
)

/** The ways in which the lender refuses the data of a submission: it names no field, the phone, or the account. */
const refusedData = fc.constantFrom<LenderAction>(
  { invalid: [] },
  { invalid: [{ field: "phone", code: "INVALID" }] },
  { invalid: [{ field: "disbursement_method", code: "INVALID" }, { field: "bank", code: "INVALID" }] }
)

const lenderAction = fc.oneof(
  { weight: 3, arbitrary: fc.constant<LenderAction>("done") },
  { weight: 1, arbitrary: fc.constantFrom<LenderAction>("lost", "undone") },
  { weight: 1, arbitrary: refusedData }
)

const answer = fc.oneof(
  { weight: 6, arbitrary: quotation },
  { weight: 1, arbitrary: fc.constantFrom("crash" as const, "timeout" as const) }
)

const accept = fc.record({
  _tag: fc.constant("AcceptOffer" as const),
  offer: index,
  terms_accepted: fc.nat({ max: 9 }).map((number) => number > 0)
})

const contract = fc.record({
  _tag: fc.constant("MoveContract" as const),
  status: lenderStatus,
  attempt: fc.option(fc.constant(1), { freq: 2 }),
  is_pushed: fc.boolean()
})

const expire = fc.record({
  _tag: fc.constant("GoToExpiry" as const),
  offer: index,
  offset_ms: fc.integer({ min: -1, max: 1 })
})

/** A pause that is longer than the seven days of the right of regret, in milliseconds. */
const regretMs = 8 * 24 * 3_600_000

const wait = fc.record({
  _tag: fc.constant("Wait" as const),
  ms: fc.oneof(
    fc.integer({ min: -60_000, max: -1 }),
    fc.integer({ min: 0, max: 60_000 }),
    fc.nat({ max: 7_200_000 }),
    fc.constant(regretMs)
  )
})

const kyc = fc.record({ _tag: fc.constant("SubmitKyc" as const), kyc: kycFields })

/** Any step of a scenario. */
export const scenarioStep: fc.Arbitrary<ScenarioStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Requote"),
      max_installments: fc.option(fc.integer({ min: 1, max: 10 }), { freq: 3 })
    })
  },
  { weight: 3, arbitrary: kyc },
  { weight: 4, arbitrary: accept },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("CancelApplication"), reason: fc.constantFrom(...cancellationReasons) })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constantFrom("Withdraw" as const, "RenewSignatureLink" as const) }) },
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("RunJob"), job: index, lender: lenderAction }) },
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("AnswerQuote"), request: index, answer }) },
  { weight: 4, arbitrary: contract },
  { weight: 2, arbitrary: wait },
  { weight: 2, arbitrary: expire }
)

const twoTables = (spoiled: "TOO_MANY_INSTALLMENTS" | null): QuotationExample => ({
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

/** A lender answer with two offers, best first. */
export const typicalAnswer = twoTables(null)

const requestQuote: ScenarioStep = { _tag: "RunJob", job: 0, lender: "done" }
const offers: ScenarioStep = { _tag: "AnswerQuote", request: 0, answer: typicalAnswer }
const refusal: ScenarioStep = {
  _tag: "AnswerQuote",
  request: 0,
  answer: { kind: "REFUSED", code: "BIRTHDAY_WINDOW", retry_ms: 60_000 }
}
const requote: ScenarioStep = { _tag: "Requote", max_installments: null }
const submitKyc: ScenarioStep = { _tag: "SubmitKyc", kyc: { fields: "all", bank: false, is_pep: false } }
const acceptance: ScenarioStep = { _tag: "AcceptOffer", offer: 0, terms_accepted: true }
const submitContract: ScenarioStep = { _tag: "RunJob", job: 1, lender: "done" }
const moveContract = (status: LenderContract["status"]): ScenarioStep => ({
  _tag: "MoveContract",
  status,
  attempt: null,
  is_pushed: false
})
const changeAccount: ScenarioStep = { _tag: "SubmitKyc", kyc: { fields: "account", bank: true } }
const withdraw: ScenarioStep = { _tag: "Withdraw" }
const payAgain: ScenarioStep = { _tag: "RunJob", job: 1, lender: "done" }

/** The steps of a typical loan, up to a failed payment. */
export const typicalSteps: ReadonlyArray<ScenarioStep> = [
  requestQuote,
  offers,
  submitKyc,
  acceptance,
  submitContract,
  moveContract("DISBURSEMENT_FAILED")
]

const followedBy = (
  steps: ReadonlyArray<ScenarioStep>,
  end: fc.Arbitrary<ScenarioStep>
): fc.Arbitrary<ReadonlyArray<ScenarioStep>> => end.map((last) => [...steps, last])

/** Steps that lead to a state in which rules can be violated. */
export const scenarioPrefix: fc.Arbitrary<ReadonlyArray<ScenarioStep>> = fc.oneof(
  fc.nat({ max: typicalSteps.length }).map((length) => typicalSteps.slice(0, length)),
  followedBy([requestQuote, requestQuote, offers, requote], fc.constant(offers)),
  fc.constant([
    requestQuote,
    offers,
    { _tag: "Requote", max_installments: 1 },
    submitContract,
    { _tag: "AnswerQuote", request: 0, answer: twoTables("TOO_MANY_INSTALLMENTS") }
  ]),
  followedBy([requestQuote, refusal, { _tag: "Wait", ms: 59_999 }], wait),
  fc.tuple(expire, accept).map((about) => [requestQuote, offers, submitKyc, ...about]),
  followedBy(typicalSteps, kyc),
  followedBy([...typicalSteps, changeAccount, payAgain], contract),
  followedBy(typicalSteps.slice(0, 5), contract).chain((steps) => followedBy(steps, contract)),
  followedBy(typicalSteps.slice(0, 4), refusedData.map((lender) => ({ _tag: "RunJob", job: 1, lender })))
    .chain((steps) => followedBy(steps, kyc)),
  fc.constant([
    ...typicalSteps.slice(0, 4),
    { _tag: "RunJob", job: 1, lender: "lost" },
    moveContract("IN_ANALYSIS")
  ]),
  followedBy([...typicalSteps.slice(0, 5), moveContract("PAID")], wait)
    .map((steps) => [...steps, withdraw, submitContract])
)
