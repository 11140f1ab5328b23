import { assert, layer } from "@effect/vitest"
import { millisOf, type RejectionCode, sandboxCpf, sandboxScenarios, type Timestamp } from "@lastro/domain"
import { Context, Effect, Fiber, Layer } from "effect"
import { freshDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { at, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { type Desk, desk, idOf, isSettled, kycOf } from "./running/desk.ts"
import { onPostgres, serving } from "./running/serving.ts"

/** What is seen of a quote once the lender has answered, of times only how long after the wish for the quote they are. */
interface Seen {
  readonly status: string
  readonly quote_status: string
  readonly next_action: string
  /** The tables in the order of their names, each with its number of instalments. */
  readonly offers: ReadonlyArray<string>
  readonly unpriced: ReadonlyArray<string>
  readonly rejection: {
    readonly code: string
    readonly kind: string
    readonly retryable: boolean
    readonly retry_after_ms: number | null
  } | null
}

/** What the contract comes to. */
interface Ending {
  readonly status: "CONTRACTED" | "CANCELLED"
  readonly history: ReadonlyArray<string>
  readonly rejection: RejectionCode | null
}

/** What comes of a customer. */
interface Story {
  readonly first: Seen
  /** What another quote comes to; a refusal to ask for one where there is none. */
  readonly second?: Seen
  /** What becomes of the contract, when the best offer of the last quote is accepted. */
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
  retry: { readonly next_action: "REQUOTE" | "NONE"; readonly retry_after_ms?: number }
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
  refused(code, "TEMPORARY", { next_action: "NONE", retry_after_ms })
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

/** What comes in time only. */
const comesInTime: ReadonlySet<Seen> = new Set([expired, over])

const accepted = ["SUBMITTING", "AWAITING_SIGNATURE"]
const disbursed = [...accepted, "GUARANTEE_PENDING", "DISBURSING"]
const paid: Ending = { status: "CONTRACTED", history: [...disbursed, "PAID"], rejection: null }
const rejected = (rejection: RejectionCode): Ending => ({
  status: "CANCELLED",
  history: ["SUBMITTING", "REJECTED"],
  rejection
})

/** The story of each ending of a CPF; `00` stands for all that have no scenario. */
const stories: Readonly<Record<string, Story>> = {
  "00": { first: usual, second: usual, contract: paid },
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
  "89": { first: never("NO_BALANCE") },
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

/** What is seen of the latest quote once it is answered, and what is looked for has come in time; the best offer is the first. */
const seen = Effect.fnUntraced(function*({ read, until }: Desk, id: string, lookedFor: Seen) {
  const status = yield* until(
    id,
    (present) =>
      isSettled(present) && (!comesInTime.has(lookedFor) || at(present, "next_action") === lookedFor.next_action)
  )
  const application = yield* read(id)
  const offers = list(application, "quote", "offers")
  const nets = offers.map((offer) => Number(field(offer, "net_amount")))
  assert.deepStrictEqual(nets, nets.toSorted((one, other) => other - one))
  const rejection = at(application, "rejection")
  const message = String(field(rejection, "message"))
  const retry_at = field(rejection, "retry_at") as Timestamp | null
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
      retry_after_ms: retry_at === null ? null : millisOf(retry_at) - millisOf(created_at)
    }
  }
  return { found, message, offer_id: String(field(offers[0], "offer_id")) }
})

/** Has an application contracted, with another place to pay to where the first one fails. */
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

/** Lives a story through, from the wish for a loan to where it ends. */
const told = Effect.fnUntraced(function*(shop: Desk, digits: string, story: Story) {
  const opened = yield* shop.open(sandboxCpf(digits))
  assert.deepStrictEqual([opened.status, at(opened, "status")], [201, "QUOTING"])
  const id = idOf(opened)
  const first = yield* seen(shop, id, story.first)
  assert.deepStrictEqual(first.found, story.first)
  const [before = "", after = ""] = sandboxScenarios.get(digits)?.refuses?.message.split("{date}") ?? []
  assert.isTrue(first.message.startsWith(before) && first.message.endsWith(after), first.message)
  let { offer_id } = first

  if (story.first === expired) {
    assert.deepStrictEqual(refusal(yield* shop.accept(id, offer_id)), [409, "OFFER_NOT_AVAILABLE", "EXPIRED"])
  }
  if (story.first.next_action === "NONE") {
    assert.deepStrictEqual(refusal(yield* shop.requote(id)), [409, "APPLICATION_NOT_QUOTABLE"])
  }
  if (story.second !== undefined) {
    const again = yield* shop.requote(id)
    assert.deepStrictEqual([again.status, at(again, "quote", "number")], [202, 2])
    const second = yield* seen(shop, id, story.second)
    assert.deepStrictEqual(second.found, story.second)
    if (first.found.offers.length > 0) {
      assert.deepStrictEqual(refusal(yield* shop.accept(id, offer_id)), [409, "OFFER_NOT_AVAILABLE", "SUPERSEDED"])
    }
    offer_id = second.offer_id
  }
  if (story.contract !== undefined) {
    assert.deepStrictEqual(yield* contracted(shop, id, offer_id, digits), story.contract)
  }
})

class Stories extends Context.Service<Stories, ReadonlyMap<string, Fiber.Fiber<void>>>()(
  "@lastro/server/test/origination.test/Stories"
) {}

/** Two servers, on each of which every story goes on by itself: some take seconds. */
const onTwoServers = Layer.effect(
  Stories,
  Effect.gen(function*() {
    const environment = { LASTRO_SANDBOX_STEP_MS: "0" }
    const postgres = onPostgres(yield* freshDatabase)
    const servers = yield* Effect.all({
      PGlite: serving(environment),
      PostgreSQL: serving({ ...postgres, ...environment })
    }, { concurrency: 2 })
    const telling = new Map<string, Fiber.Fiber<void>>()
    for (const [database, server] of Object.entries(servers)) {
      const shop = desk(server, tokenOf(yield* signIn(server)))
      for (const [digits, story] of Object.entries(stories)) {
        telling.set(`${digits} on ${database}`, yield* Effect.forkScoped(told(shop, digits, story)))
      }
    }
    return telling
  })
)

layer(onTwoServers, { timeout: 60_000, excludeTestServices: true })("a customer whose CPF ends in", (it) => {
  for (const digits of Object.keys(stories)) {
    for (const database of ["PGlite", "PostgreSQL"]) {
      it.effect(`${digits} on ${database}: ${sandboxScenarios.get(digits)?.outcome ?? "what is usual"}`, () =>
        Effect.gen(function*() {
          const telling = (yield* Stories).get(`${digits} on ${database}`)
          yield* telling === undefined ? Effect.die("Nobody tells this story") : Fiber.join(telling)
        }))
    }
  }

  it("any of the sandbox's table has a story", () => {
    const withStory = Object.keys(stories).filter((digits) => digits !== "00")
    assert.deepStrictEqual(withStory, Array.from(sandboxScenarios.keys()).toSorted())
  })
})
