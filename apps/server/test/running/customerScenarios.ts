import { Effect } from "effect"
import { at } from "./asking.ts"
import { type Customer } from "./Customer.ts"
import { type Desk } from "./desk.ts"

/** The last two digits of a CPF, and the final status to which they lead. */
export type CustomerScenario = readonly [digits: string, ending: string]

/** The scenarios. The default scenario is the most frequent. */
const scenarios: ReadonlyArray<CustomerScenario> = [
  ["00", "CONTRACTED"],
  ["88", "CONTRACTED"],
  ["01", "CONTRACTED"],
  ["90", "CONTRACTED"],
  ["02", "CONTRACTED"],
  ["78", "CONTRACTED"],
  ["03", "CONTRACTED"],
  ["87", "CANCELLED"],
  ["86", "CANCELLED"],
  ["89", "REJECTED"]
]

/** The scenario of a customer, by its index. */
export const scenarioOf = (index: number): CustomerScenario =>
  scenarios[index % scenarios.length] ?? ["00", "CONTRACTED"]

/** A contract at the lender, and the numbers of its payments. */
interface Contract {
  readonly proposal_id: string
  readonly payments: ReadonlyArray<number>
}

/** Lists the violated requirements of a customer at the end. */
export const customerViolations = Effect.fnUntraced(function*(
  shop: Pick<Desk, "read" | "search">,
  { external_id, confirmed: { accepted, application_id, contradicted, quotes } }: Customer,
  [digits, ending]: CustomerScenario,
  contracts: ReadonlyArray<Contract>
) {
  if (application_id === undefined) return ["the application was not created"]
  const application = yield* shop.read(application_id)
  const found = at(yield* shop.search(external_id), "data") as ReadonlyArray<unknown>
  const proposal_id = at(application, "proposal_id")
  const known = at(application, "quotes") as ReadonlyArray<Record<string, unknown>>
  const offers = known.flatMap((quote) => quote["offers"] as ReadonlyArray<Record<string, unknown>>)
  const statusOf = (offer: string) => offers.find(({ offer_id }) => offer_id === offer)?.["status"]
  const payments = contracts.filter((contract) => contract.proposal_id === proposal_id).map(({ payments }) => payments)
  const expected = ending === "REJECTED" ? [] : [digits === "88" ? [1, 2] : [1]]
  const requirements: ReadonlyArray<readonly [string, boolean]> = [
    [`ends ${ending}`, at(application, "status") === ending],
    ["was created once", found.length === 1],
    ["replays responses unchanged", contradicted.length === 0],
    [
      "has every confirmed quote",
      quotes.every(({ number, quote_id }) =>
        known.some((one) => one["quote_id"] === quote_id && one["number"] === number)
      )
    ],
    [
      "keeps the confirmed acceptance",
      accepted.every((one) => one.proposal_id === proposal_id && statusOf(one.offer_id) === "ACCEPTED")
    ],
    ["has at most one accepted offer", offers.filter(({ status }) => status === "ACCEPTED").length <= 1],
    ["has one contract at the lender, and its payments", JSON.stringify(payments) === JSON.stringify(expected)]
  ]
  return requirements.filter(([, holds]) => !holds).map(([what]) => what)
})
