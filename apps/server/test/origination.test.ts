import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf, sandboxScenarios } from "@lastro/domain/adapters"
import { type RejectionCode } from "@lastro/domain/offer"
import { millisOf, type Timestamp } from "@lastro/domain/values"
import { Effect } from "effect"
import { ask, at, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { type Desk, idOf, isSettled, kycOf, patientClient } from "./running/desk.ts"
import { onServers, type ServedApi } from "./running/onServers.ts"

/** The observable result of a quote. Times are relative to the request. */
interface Seen {
  readonly status: string
  readonly quote_status: string
  readonly next_action: string
  /** Tables by name, each with its number of instalments. */
  readonly offers: ReadonlyArray<string>
  readonly unpriced: ReadonlyArray<string>
  readonly rejection: {
    readonly code: string
    readonly kind: string
    readonly retryable: boolean
    readonly retry_after_ms: number | null
  } | null
}

/** The final state of a contract. */
interface Ending {
  readonly status: "CONTRACTED" | "CANCELLED"
  readonly history: ReadonlyArray<string>
  readonly rejection: RejectionCode | null
}

/** The expected results of a sandbox scenario. */
interface Scenario {
  readonly first: Seen
  /** The result of another quote. Absent if the scenario has none. */
  readonly second?: Seen
  /** The final state of the contract if the best offer of the last quote is accepted. */
  readonly contract?: Ending
}

const offered = (...offers: ReadonlyArray<string>): Seen => ({
  status: "QUOTED",
  quote_status: "COMPLETED",
  next_action: "SUBMIT_KYC",
  offers,
  unpriced: [],
  rejection: null
})

const refused = (
  code: RejectionCode,
  kind: string,
  retry: { readonly next_action: "REQUOTE" | "RETRY_LATER" | "NONE"; readonly retry_after_ms?: number }
): Seen => ({
  status: "REJECTED",
  quote_status: "REJECTED",
  next_action: retry.next_action,
  offers: [],
  unpriced: [],
  rejection: { code, kind, retryable: kind !== "FINAL", retry_after_ms: retry.retry_after_ms ?? null }
})

const mended = (code: RejectionCode) => refused(code, "CUSTOMER_ACTION", { next_action: "REQUOTE" })
const passing = (code: RejectionCode) => refused(code, "TEMPORARY", { next_action: "REQUOTE" })
const later = (code: RejectionCode, retry_after_ms: number) =>
  refused(code, "TEMPORARY", { next_action: "RETRY_LATER", retry_after_ms })
const never = (code: RejectionCode) => refused(code, "FINAL", { next_action: "NONE" })

const unreachable: Seen = {
  ...mended("UPSTREAM_UNAVAILABLE"),
  status: "QUOTE_FAILED",
  quote_status: "FAILED",
  rejection: { code: "UPSTREAM_UNAVAILABLE", kind: "UPSTREAM", retryable: true, retry_after_ms: null }
}

const usual = offered("light 3", "plus 3", "standard 3")
const expired: Seen = { ...usual, status: "EXPIRED", next_action: "REQUOTE" }
const over: Seen = { ...later("BIRTHDAY_WINDOW", 3_000), next_action: "REQUOTE" }

/** Results that appear only after some time. */
const delayedResults: ReadonlySet<Seen> = new Set([expired, over])

const accepted = ["SUBMITTING", "AWAITING_SIGNATURE"]
const disbursed = [...accepted, "GUARANTEE_PENDING", "DISBURSING"]
const paid: Ending = { status: "CONTRACTED", history: [...disbursed, "PAID"], rejection: null }
const settled: Ending = { ...paid, history: [...disbursed, "PAID", "SETTLED"] }
const reversed: Ending = {
  status: "CANCELLED",
  history: [...disbursed, "PAID", "REFUNDED"],
  rejection: "LENDER_POLICY"
}
const corrected: Ending = { ...paid, history: ["SUBMITTING", "CORRECTION_NEEDED", ...disbursed, "PAID"] }
const rejected = (rejection: RejectionCode): Ending => ({
  status: "CANCELLED",
  history: ["SUBMITTING", "REJECTED"],
  rejection
})

/** The scenario of each CPF ending. `00` stands for all endings without one. */
const scenarios: Readonly<Record<string, Scenario>> = {
  "00": { first: usual, second: usual, contract: paid },
  "68": { first: usual, contract: paid },
  "69": { first: usual, contract: settled },
  "70": { first: usual, second: usual, contract: paid },
  "71": { first: usual, contract: paid },
  "72": { first: usual, contract: corrected },
  "73": { first: usual, contract: reversed },
  "74": { first: usual, contract: paid },
  "75": { first: usual, contract: paid },
  "76": { first: usual, contract: paid },
  "77": { first: usual, contract: paid },
  "78": {
    first: { ...offered("light 3", "standard 3"), unpriced: ["plus FEES_EXCEED_PRINCIPAL FINAL"] },
    contract: paid
  },
  "79": { first: offered("light 2", "plus 2", "standard 2"), contract: paid },
  "80": { first: usual, contract: rejected("KYC_REJECTED") },
  "81": { first: never("BIRTH_DATE_MISMATCH") },
  "82": { first: later("OPT_IN_WAITING_PERIOD", 90 * 86_400_000) },
  "83": { first: never("EXISTING_CONTRACT") },
  "84": { first: never("BELOW_MINIMUM_INSTALLMENT") },
  "85": { first: expired, second: expired },
  "86": { first: usual, contract: rejected("LENDER_POLICY") },
  "87": {
    first: usual,
    contract: { status: "CANCELLED", history: ["SUBMITTING", "CANCELLED"], rejection: "SIGNATURE_EXPIRED" }
  },
  "88": {
    first: usual,
    contract: { ...paid, history: [...disbursed, "DISBURSEMENT_FAILED", "DISBURSING", "PAID"] }
  },
  "89": { first: refused("NO_BALANCE", "TEMPORARY", { next_action: "RETRY_LATER" }) },
  "90": { first: passing("OPERATION_IN_PROGRESS"), second: usual, contract: paid },
  "91": { first: mended("NO_AUTHORIZATION"), second: usual, contract: paid },
  "92": { first: mended("NOT_OPTED_IN"), second: mended("NOT_OPTED_IN") },
  "93": { first: over, second: usual, contract: paid },
  "94": { first: mended("OPT_OUT_IN_PROGRESS"), second: mended("OPT_OUT_IN_PROGRESS") },
  "95": { first: passing("ACCOUNT_CHANGES_PENDING"), second: usual, contract: paid },
  "96": { first: unreachable, second: unreachable },
  "97": { first: usual, contract: paid },
  "98": { first: usual, contract: paid }
}

const list = (reply: Reply, ...path: ReadonlyArray<string>) => at(reply, ...path) as ReadonlyArray<Reply["body"]>

const field = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((found, key) => Object(found)[key] as unknown, value)

const refusal = (reply: Reply): ReadonlyArray<unknown> => [
  reply.status,
  at(reply, "error", "code"),
  ...list(reply, "error", "details").map((detail) => field(detail, "code"))
]

/** Waits for the expected result of the latest quote, and returns the observed one with its best offer. */
const seen = Effect.fnUntraced(function*({ read, until }: Desk, id: string, lookedFor: Seen) {
  const status = yield* until(
    id,
    (present) =>
      isSettled(present) && (!delayedResults.has(lookedFor) || at(present, "next_action") === lookedFor.next_action)
  )
  const application = yield* read(id)
  const offers = list(application, "quote", "offers")
  const nets = offers.map((offer) => Number(field(offer, "net_amount")))
  assert.deepStrictEqual(nets, nets.toSorted((one, other) => other - one))
  const rejection = at(application, "rejection")
  const message = String(field(rejection, "message"))
  const retry_at = field(rejection, "retry_at") as Timestamp | null
  const isAfterDeposits = field(rejection, "code") === "NO_BALANCE"
  if (isAfterDeposits) assert.match(retry_at ?? "", /-21T03:00:00\.000Z$/)
  const created_at = at(application, "quote", "created_at") as Timestamp
  const found: Seen = {
    status: String(at(application, "status")),
    quote_status: String(at(status, "quote_status")),
    next_action: String(at(status, "next_action")),
    offers: offers.map((offer) =>
      `${String(field(offer, "table", "code"))} ${String(field(offer, "installments", "length"))}`
    ).toSorted(),
    unpriced: list(application, "quote", "unpriced").map((one) =>
      ["table.code", "rejection.code", "rejection.kind"].map((path) => String(field(one, ...path.split(".")))).join(" ")
    ),
    rejection: rejection === null ? null : {
      code: String(field(rejection, "code")),
      kind: String(field(rejection, "kind")),
      retryable: field(rejection, "retryable") === true,
      retry_after_ms: retry_at === null || isAfterDeposits ? null : millisOf(retry_at) - millisOf(created_at)
    }
  }
  return { found, message, offer_id: String(field(offers[0], "offer_id")) }
})

/** Contracts an application, with another payment destination if the first one fails. */
const contracted = Effect.fnUntraced(function*(shop: Desk, id: string, offer: string, digits: string) {
  const cpf = sandboxCpf(digits)
  assert.deepStrictEqual(at(yield* shop.submitKyc(id, kycOf(cpf)), "complete"), true)
  assert.strictEqual(at(yield* shop.status(id), "next_action"), "ACCEPT_OFFER")
  const acceptance = yield* shop.accept(id, offer)
  assert.deepStrictEqual([acceptance.status, at(acceptance, "status")], [202, "CONTRACTING"])
  let settled = yield* shop.until(id, isSettled)
  if (at(settled, "next_action") === "FIX_DISBURSEMENT") {
    assert.strictEqual(at(yield* shop.read(id), "rejection", "code"), "DISBURSEMENT_FAILED")
    const pix = { type: "EMAIL", key: "ana@example.com" }
    assert.strictEqual((yield* shop.submitKyc(id, { pix })).status, 200)
    settled = yield* shop.until(id, isSettled)
  }
  if (at(settled, "next_action") === "FIX_KYC") {
    const address = { ...Object(at(yield* shop.kyc(id), "address")), number: "S/N" }
    assert.strictEqual((yield* shop.submitKyc(id, { address })).status, 200)
    settled = yield* shop.until(id, isSettled)
  }
  assert.strictEqual(at(settled, "next_action"), "NONE")
  const application = yield* shop.read(id)
  const proposal = yield* shop.proposal(String(at(acceptance, "proposal_id")))
  const code = at(application, "rejection", "code")
  assert.strictEqual(at(proposal, "data", "rejection", "code"), code)
  const ending: Ending = {
    status: String(at(application, "status")) as Ending["status"],
    history: list(proposal, "data", "status_history").map((step) => String(field(step, "status"))),
    rejection: (code ?? null) as RejectionCode | null
  }
  assert.deepStrictEqual((yield* shop.accept(id, offer)).body, acceptance.body)
  assert.deepStrictEqual(refusal(yield* shop.requote(id)), [409, "APPLICATION_NOT_QUOTABLE"])
  return ending
})

/** Calls back for the quote of an application until it has ended. Its lender waits for the callback. */
const callBack = Effect.fnUntraced(function*(server: ServedApi, { status }: Desk, opened: Reply) {
  const json = { quote_id: at(opened, "quote", "quote_id") }
  const isQuoting = Effect.map(status(idOf(opened)), (present) => at(present, "status") === "QUOTING")
  while (yield* isQuoting) {
    yield* ask(server, "/api/v1/lender-callbacks/sandbox", { token: "sandbox", json })
    yield* Effect.sleep("300 millis")
  }
})

/** Runs a scenario from the application to its end. */
const runScenario = Effect.fnUntraced(function*(server: ServedApi, shop: Desk, digits: string, scenario: Scenario) {
  const opened = yield* shop.open(sandboxCpf(digits))
  assert.deepStrictEqual([opened.status, at(opened, "status")], [201, "QUOTING"])
  const id = idOf(opened)
  if (digits === "77") yield* callBack(server, shop, opened)
  const first = yield* seen(shop, id, scenario.first)
  assert.deepStrictEqual(first.found, scenario.first)
  const [before = "", after = ""] = sandboxScenarios.get(digits)?.refuses?.message.split("{date}") ?? []
  assert.isTrue(first.message.startsWith(before) && first.message.endsWith(after), first.message)
  let { offer_id } = first

  if (scenario.first === expired) {
    assert.deepStrictEqual(refusal(yield* shop.accept(id, offer_id)), [409, "OFFER_NOT_AVAILABLE", "EXPIRED"])
  }
  if (scenario.first.next_action === "NONE") {
    assert.deepStrictEqual(refusal(yield* shop.requote(id)), [409, "APPLICATION_NOT_QUOTABLE"])
  }
  if (scenario.second !== undefined) {
    const again = yield* shop.requote(id)
    assert.deepStrictEqual([again.status, at(again, "quote", "number")], [202, 2])
    const second = yield* seen(shop, id, scenario.second)
    assert.deepStrictEqual(second.found, scenario.second)
    if (first.found.offers.length > 0) {
      assert.deepStrictEqual(refusal(yield* shop.accept(id, offer_id)), [409, "OFFER_NOT_AVAILABLE", "SUPERSEDED"])
    }
    offer_id = second.offer_id
  }
  if (scenario.contract !== undefined) {
    assert.deepStrictEqual(yield* contracted(shop, id, offer_id, digits), scenario.contract)
  }
})

onServers("a customer whose CPF ends in", {
  start: (serve) =>
    Effect.gen(function*() {
      const server = yield* serve({ LASTRO_SANDBOX_STEP_MS: "0" })
      return { server, shop: patientClient(server, tokenOf(yield* signIn(server))) }
    }),
  cases: Object.fromEntries(
    Object.entries(scenarios).map(([digits, scenario]) => [
      digits,
      ({ server, shop }: { readonly server: ServedApi; readonly shop: Desk }) =>
        runScenario(server, shop, digits, scenario)
    ])
  ),
  title: (digits, database) => `${digits} on ${database}: ${sandboxScenarios.get(digits)?.outcome ?? "default"}`
})

describe("the sandbox", () => {
  it("every ending of the sandbox table has a scenario", () => {
    const endings = Object.keys(scenarios).filter((digits) => digits !== "00")
    assert.deepStrictEqual(endings, Array.from(sandboxScenarios.keys()).toSorted())
  })
})
