import { hierarchyOf } from "@lastro/domain/hierarchy"
import { decide, latestQuote, type ProposalNumber } from "@lastro/domain/loan"
import { availableInstallments, type LoanFee, type OfferTerms, policyOn, priceOffer } from "@lastro/domain/offer"
import { type PartnerDetail, patchPartner } from "@lastro/domain/partner"
import {
  calendarDate,
  centavos,
  millisOf,
  type PartnerId,
  percent,
  type ProposalId,
  timestampOf
} from "@lastro/domain/values"
import { anApplication, answerWithOffers, submitExampleKyc } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { type Randomness } from "../measure/Randomness.ts"

/** The benchmark of one rule: a function that calls the rule several times. */
export interface RuleCases {
  readonly name: string
  readonly calls: number
  readonly run: () => void
}

/** Stores the last result, so that V8 cannot optimize the calls away. */
const last: { result: unknown } = { result: undefined }

const casesOf = <A>(name: string, inputs: ReadonlyArray<A>, call: (input: A) => unknown): RuleCases => ({
  name,
  calls: inputs.length,
  run: () => {
    for (const input of inputs) last.result = call(input)
  }
})

type Pair = readonly [id: string, parent: string | null]

const twoDigits = (value: number): string => String(value).padStart(2, "0")

const idOf = (index: number): string => `0197f3a2-5b1c-7d3e-8f4a-${String(index).padStart(12, "0")}`

/** Copies a value through JSON. As in a request that was just parsed, the strings of the copy have no cached hashes. */
const copyOf = <A>(value: A): A => JSON.parse(JSON.stringify(value))

/**
 * Creates the benchmarks of scope checks. Half of the checks compare a partner with one of its ancestors, and half
 * compare two random partners.
 */
const scopeChecks = (partners: number, random: Randomness): ReadonlyArray<RuleCases> => {
  const pairs = copyOf(Array.from({ length: partners }, (_, index): Pair => {
    const parent = Math.floor(index * random.fraction() * random.fraction())
    return [idOf(index), index === 0 ? null : idOf(parent)]
  }))
  const hierarchy = Result.getOrThrow(hierarchyOf(pairs))
  const parents = new Map(pairs)
  const anyPartner = (): string => pairs[random.below(pairs.length)]?.[0] ?? ""
  const ancestorOf = (id: string): string => random.chance(0.7) ? ancestorOf(parents.get(id) ?? id) : id
  const checks = Array.from({ length: 20_000 }, (_, index) => {
    const id = anyPartner()
    return [index % 2 === 0 ? ancestorOf(id) : anyPartner(), id] as const
  })
  const check = ([top, id]: readonly [string, string]) => hierarchy.isWithin(top, id)
  return [
    casesOf("scope check", checks, check),
    casesOf("scope check, ids of a request", copyOf(checks), check)
  ]
}

const fees: ReadonlyArray<LoanFee> = [
  { kind: "none" },
  { kind: "percent", percent: percent(10) },
  { kind: "fixed", amount: centavos(10_00) }
]

/** Creates terms with three instalments, a balance of R$ 1 000 to R$ 6 000 and a rate of 1.40 to 1.80 % per month. */
const termsOf = (random: Randomness): OfferTerms => {
  const released_on = calendarDate(`2026-${twoDigits(11 + random.below(2))}-${twoDigits(1 + random.below(28))}`)
  return {
    released_on,
    monthly_rate: percent((140 + random.below(41)) / 100),
    fee: fees[random.below(fees.length)] ?? { kind: "none" },
    installments: availableInstallments({
      balance: centavos(1_000_00 + random.below(5_000_00)),
      birth_date: calendarDate(`1980-${twoDigits(1 + random.below(12))}-15`),
      released_on,
      policy: policyOn(released_on),
      max_installments: null
    })
  }
}

const pricing = (random: Randomness): RuleCases =>
  casesOf("pricing, three instalments", Array.from({ length: 2_000 }, () => termsOf(random)), priceOffer)

const partner = {
  partner_id: idOf(1),
  name: "Promotora São João",
  status: "active",
  email: "contato@saojoao.example",
  phone: "1133334444",
  pix: { key: "contato@saojoao.example", type: "EMAIL" },
  address: null,
  document_number: "11222333000181",
  person_type: "pj",
  created_at: "2026-01-31T12:00:00.000Z",
  parent_id: idOf(0),
  bank_account: null
} as PartnerDetail

const bodies: ReadonlyArray<unknown> = [
  { partner: { name: "Promotora São João e Filhos" } },
  { partner: { email: "novo@saojoao.example", phone: "+55 (11) 98765-4321" } },
  { partner: { phone: "11987654321" }, address: null, pix: null },
  {}
]

const patching = casesOf(
  "merge patch",
  Array.from({ length: 50 }, () => bodies).flat(),
  (body) => patchPartner(partner, body)
)

const accepting: Effect.Effect<RuleCases> = Effect.gen(function*() {
  const application = submitExampleKyc(yield* answerWithOffers(yield* anApplication().of(idOf(0) as PartnerId)))
  const at = timestampOf(millisOf(application.updated_at) + 60_000)
  const [offer] = latestQuote(application).offers
  if (offer === undefined) return yield* Effect.die(new Error("The quote has no offer"))
  const command = {
    _tag: "AcceptOffer",
    at,
    offer_id: offer.offer_id,
    proposal_id: idOf(4) as ProposalId,
    number: "0123456789" as ProposalNumber,
    created_by: application.created_by,
    acceptance: { accepted_at: at, ip: "192.0.2.1", user_agent: null },
    pledged_years: new Set<number>()
  } as const
  return casesOf(
    "decide: accept an offer",
    Array.from({ length: 1_000 }, () => command),
    (one) => decide(one, application)
  )
})

/** Creates the benchmarks of all rules that are measured. */
export const cases = (partners: number, random: Randomness): Effect.Effect<ReadonlyArray<RuleCases>> =>
  Effect.map(accepting, (accepted) => [...scopeChecks(partners, random), pricing(random), patching, accepted])
