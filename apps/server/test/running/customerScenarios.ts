import { type RecordedContract } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { at, type Reply } from "./asking.ts"
import { type Customer, type Leaving } from "./Customer.ts"
import { type Desk } from "./desk.ts"

/**
 * The last two digits of a CPF, the final status to which they lead, and when the customer leaves. The customer ends
 * with the final status unless a cancellation or a withdrawal was confirmed.
 */
export interface CustomerScenario {
  readonly digits: string
  readonly ending: "CONTRACTED" | "CANCELLED" | "REJECTED"
  readonly leaves?: Leaving
}

/** The scenarios. The default scenario is the most frequent. */
const scenarios: ReadonlyArray<CustomerScenario> = [
  { digits: "00", ending: "CONTRACTED" },
  { digits: "70", ending: "CONTRACTED" },
  { digits: "02", ending: "CONTRACTED", leaves: "ACCEPTED" },
  { digits: "88", ending: "CONTRACTED" },
  { digits: "72", ending: "CONTRACTED" },
  { digits: "03", ending: "CONTRACTED", leaves: "RACING" },
  { digits: "90", ending: "CONTRACTED" },
  { digits: "70", ending: "CONTRACTED", leaves: "OPENED" },
  { digits: "04", ending: "CONTRACTED", leaves: "PAID" },
  { digits: "78", ending: "CONTRACTED" },
  { digits: "72", ending: "CONTRACTED", leaves: "CORRECTED" },
  { digits: "87", ending: "CANCELLED" },
  { digits: "05", ending: "CONTRACTED", leaves: "ACCEPTED" },
  { digits: "86", ending: "CANCELLED" },
  { digits: "06", ending: "CONTRACTED", leaves: "QUOTED" },
  { digits: "74", ending: "CONTRACTED", leaves: "PAID" },
  { digits: "89", ending: "REJECTED" },
  { digits: "72", ending: "CONTRACTED", leaves: "REFUSED" },
  { digits: "75", ending: "CONTRACTED", leaves: "ACCEPTED" },
  { digits: "01", ending: "CONTRACTED" },
  { digits: "88", ending: "CONTRACTED", leaves: "CORRECTED" },
  { digits: "07", ending: "CONTRACTED", leaves: "ACCEPTED" },
  { digits: "08", ending: "CONTRACTED", leaves: "OPENED" }
]

/** The scenario of a customer, by its index. */
export const scenarioOf = (index: number): CustomerScenario =>
  scenarios[index % scenarios.length] ?? { digits: "00", ending: "CONTRACTED" }

/** The delay of each step of a contract at the lender, in milliseconds. A contract is paid after three steps. */
export const stepMs = 300

/** The pauses before a customer leaves, in milliseconds: during each step. */
const leavingPauses = [0, 50, 200, 400, 700, 1_000]

/** The pause before a customer leaves, by its index. */
export const leavesAfterMs = (index: number): number => leavingPauses[index % leavingPauses.length] ?? 0

type Fields = Readonly<Record<string, unknown>>

const isLive = ({ status }: RecordedContract): boolean => !["CANCELLED", "REJECTED", "REFUNDED"].includes(status)

/** The requirements of a customer without a confirmed cancellation or withdrawal. */
const requirementsToStay = (
  application: Reply,
  { digits, ending }: CustomerScenario,
  [contract]: ReadonlyArray<RecordedContract>
) => {
  const payments = digits === "88" ? [1, 2] : [1]
  return [
    [`ends ${ending}`, at(application, "status") === ending],
    [
      "has a contract at the lender, and its payments",
      JSON.stringify(contract?.payments) === JSON.stringify(ending === "REJECTED" ? undefined : payments)
    ],
    ["has a paid contract at the lender", (ending === "CONTRACTED") === (contract?.status === "PAID")],
    ["was not cancelled at the lender", contract?.is_cancellation_requested !== true],
    ["was not refunded", (contract?.refunds.length ?? 0) === 0]
  ] as const
}

/** The requirements of a customer with a confirmed cancellation: CANCELLED without a live contract, or paid before. */
const requirementsToCancel = (
  application: Reply,
  proposal: Reply | null,
  { digits }: CustomerScenario,
  [contract]: ReadonlyArray<RecordedContract>
) => {
  const history = (proposal === null ? [] : at(proposal, "data", "status_history") ?? []) as ReadonlyArray<Fields>
  const wasPaid = history.some(({ reason, status }) => status === "PAID" && reason === "ALREADY_PAID")
  const isLate = wasPaid && at(application, "status") === "CONTRACTED" && contract?.status === "PAID"
  const isCancelled = at(application, "status") === "CANCELLED" && (contract === undefined || !isLive(contract))
  const payments = contract?.payments ?? [1]
  return [
    ["ends CANCELLED without a live contract, or ALREADY_PAID", isCancelled || isLate],
    ["has only the payments that the customer requested", payments.length <= (digits === "88" ? 2 : 1)],
    ["was not refunded", (contract?.refunds.length ?? 0) === 0]
  ] as const
}

/**
 * The requirements of a customer with a confirmed withdrawal: one refund, and then CANCELLED, or paid again if the
 * customer does not pay the money back.
 */
const requirementsToWithdraw = (
  application: Reply,
  { digits }: CustomerScenario,
  [contract]: ReadonlyArray<RecordedContract>
) => {
  const isPaidBack = digits !== "74"
  return [
    [
      isPaidBack ? "ends CANCELLED" : "ends CONTRACTED",
      at(application, "status") === (isPaidBack ? "CANCELLED" : "CONTRACTED")
    ],
    ["has one refund at the lender", contract?.refunds.length === 1],
    ["is refunded, or paid again", contract?.status === (isPaidBack ? "REFUNDED" : "PAID")],
    ["has one payment", contract?.payments.length === 1]
  ] as const
}

/** Lists the violated requirements of a customer at the end. */
export const customerViolations = Effect.fnUntraced(function*(
  shop: Pick<Desk, "proposal" | "read" | "search">,
  { external_id, confirmed: { accepted, application_id, contradicted, requested, quotes } }: Customer,
  scenario: CustomerScenario,
  recorded: ReadonlyArray<RecordedContract>
) {
  if (application_id === undefined) return ["the application was not created"]
  const application = yield* shop.read(application_id)
  const applications = at(yield* shop.search(external_id), "data") as ReadonlyArray<unknown>
  const proposal_id = at(application, "proposal_id")
  const proposal = typeof proposal_id === "string" ? yield* shop.proposal(proposal_id) : null
  const known = at(application, "quotes") as ReadonlyArray<Fields>
  const offers = known.flatMap((quote) => quote["offers"] as ReadonlyArray<Fields>)
  const statusOf = (offer: string) => offers.find(({ offer_id }) => offer_id === offer)?.["status"]
  const contracts = recorded.filter((contract) => contract.proposal_id === proposal_id)
  const requirements: ReadonlyArray<readonly [string, boolean]> = [
    ["was created once", applications.length === 1],
    ["replays responses unchanged", contradicted.length === 0],
    [
      "has every confirmed quote",
      quotes.every(({ number, quote_id }) =>
        known.some((quote) => quote["quote_id"] === quote_id && quote["number"] === number)
      )
    ],
    ["has no pending quote", known.every(({ status }) => status !== "PENDING")],
    [
      "keeps the confirmed acceptance",
      accepted.every((offer) => offer.proposal_id === proposal_id && statusOf(offer.offer_id) === "ACCEPTED")
    ],
    ["has at most one accepted offer", offers.filter(({ status }) => status === "ACCEPTED").length <= 1],
    ["has at most one contract at the lender", contracts.length <= 1],
    ...(requested.includes("WITHDRAW")
      ? requirementsToWithdraw(application, scenario, contracts)
      : requested.includes("CANCEL")
      ? requirementsToCancel(application, proposal, scenario, contracts)
      : requirementsToStay(application, scenario, contracts))
  ]
  return requirements.filter(([, holds]) => !holds).map(([what]) => what)
})
