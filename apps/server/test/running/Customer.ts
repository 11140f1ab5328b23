import { type Cpf } from "@lastro/domain/values"
import { type Duration, Effect, Exit } from "effect"
import { at, type Reply, type Sent } from "./asking.ts"
import { type CrashableServer } from "./CrashableServer.ts"
import { type Desk, idOf, isSettled, kycOf } from "./desk.ts"

/** The results that 2xx responses confirmed to a customer. They must survive every crash. */
interface Confirmed {
  application_id: string | undefined
  readonly quotes: Array<{ readonly number: unknown; readonly quote_id: unknown }>
  readonly accepted: Array<{ readonly offer_id: string; readonly proposal_id: unknown }>
  /** The confirmed requests to cancel or to withdraw, in their order. */
  readonly requested: Array<"CANCEL" | "WITHDRAW">
  /** Requests whose replay got a different response. */
  readonly contradicted: Array<string>
}

/** A simulated customer who applies for a loan. */
export interface Customer {
  readonly cpf: Cpf
  readonly external_id: string
  readonly confirmed: Confirmed
  /** Requests and responses, one per line. */
  readonly history: ReadonlyArray<string>
  /**
   * The time at which the customer started to wait for the lender, on the clock of `performance.now`; undefined if it
   * does not wait.
   */
  readonly waitingSince: () => number | undefined
  /** Runs the whole scenario with retries, and returns the final status. */
  readonly run: Effect.Effect<Reply>
}

/**
 * The moment at which a customer leaves. OPENED: cancels after opening the application, in the quote. QUOTED: cancels
 * instead of accepting. RACING: cancels and accepts at the same time. ACCEPTED: cancels after the acceptance. REFUSED:
 * cancels when the lender refuses the data of the contract. CORRECTED: cancels after correcting the data. PAID:
 * withdraws from the paid contract.
 */
export type Leaving = "OPENED" | "QUOTED" | "RACING" | "ACCEPTED" | "REFUSED" | "CORRECTED" | "PAID"

/** The behaviour of a customer. */
export interface Behaviour {
  /** The moment at which the customer leaves. Default: never. */
  readonly leaves?: Leaving | undefined
  /** The pause before the customer leaves, in milliseconds. Default: none. */
  readonly leavesAfterMs?: number
  /** Number of additional quotes. */
  readonly requotes: number
  /** True if the customer submits the KYC data in two parts. */
  readonly splitsKyc: boolean
  /** True if the customer accepts all offers at the same time. */
  readonly acceptsAll: boolean
  /** The pause before a retry. Default: 20 ms. */
  readonly retryPause?: Duration.Input
}

/** Returns whether the outcome of a request is unknown, so that it must be retried. */
const isInconclusive = (reply: Reply): boolean =>
  reply.status >= 500 || at(reply, "error", "code") === "IDEMPOTENCY_IN_FLIGHT"

const codeOf = (reply: Reply): string =>
  [reply.status, at(reply, "error", "code") ?? at(reply, "status") ?? ""].join(" ").trim()

/**
 * Makes a customer of servers that fail repeatedly. Each command has an idempotency key and is retried with the same key until it
 * gets a response. Calls `onStep` before each command and after each response.
 */
export const customer = (
  server: Pick<CrashableServer, "isUp">,
  shop: Desk,
  { cpf, external_id }: Pick<Customer, "cpf" | "external_id">,
  { acceptsAll, leaves, leavesAfterMs = 0, requotes, retryPause = "20 millis", splitsKyc }: Behaviour,
  onStep: () => void = () => {}
): Customer => {
  const began = performance.now()
  const history: Array<string> = []
  const confirmed: Confirmed = { application_id: undefined, quotes: [], accepted: [], requested: [], contradicted: [] }
  const note = (what: string): void => void history.push(`${Math.round(performance.now() - began)} ms ${what}`)

  const retry = Effect.fnUntraced(function*(what: string, asking: Effect.Effect<Reply>) {
    while (true) {
      yield* server.isUp
      const asked = yield* Effect.exit(asking)
      if (Exit.isFailure(asked) || asked.value.status !== 304) {
        note(`${what}: ${Exit.isSuccess(asked) ? codeOf(asked.value) : "no answer"}`)
      }
      if (Exit.isSuccess(asked) && !isInconclusive(asked.value)) return asked.value
      yield* Effect.sleep(retryPause)
    }
  })

  let keys = 0
  const command = Effect.fnUntraced(function*(what: string, act: (sent: Sent) => Effect.Effect<Reply>) {
    const asking = act({ headers: { "Idempotency-Key": `${external_id}/${++keys}` } })
    const losesResponse = keys % 3 === 0
    onStep()
    const first = yield* retry(what, asking)
    onStep()
    if (!losesResponse || first.status >= 300) return first
    // Repeats the request as if its response had been lost.
    const again = yield* retry(`${what}, again`, asking)
    if (again.text !== first.text) confirmed.contradicted.push(what)
    return again
  })

  let waitingSince: number | undefined
  const settled = Effect.fnUntraced(function*(id: string) {
    let known: string | null = null
    waitingSince = performance.now()
    while (true) {
      const status: Reply = yield* retry("wait", shop.status(id, { wait: known === null ? 0 : 5, known }))
      if (status.status === 200 && isSettled(status)) {
        waitingSince = undefined
        return status
      }
      known = status.headers.get("etag")
      if (status.headers.has("retry-after")) yield* Effect.sleep("200 millis")
    }
  })

  const accepting = Effect.fnUntraced(function*(id: string, offers: ReadonlyArray<unknown>) {
    const ids = offers.map((offer) => String(Object(offer)["offer_id"]))
    const accept = Effect.fnUntraced(function*(offer_id: string) {
      const reply = yield* command("accept", (sent) => shop.accept(id, offer_id, sent))
      if (reply.status === 202) confirmed.accepted.push({ offer_id, proposal_id: at(reply, "proposal_id") })
    })
    // Accepts the first offer twice: another key is another request, but the same acceptance.
    yield* Effect.forEach(acceptsAll ? [...ids, ...ids] : ids.slice(0, 1), accept, { concurrency: "unbounded" })
  })

  /** Cancels twice: another key is another request, but the same cancellation. */
  const cancelling = Effect.fnUntraced(function*(id: string) {
    yield* Effect.sleep(leavesAfterMs)
    const cancel = Effect.map(command("cancel", (sent) => shop.cancel(id, sent)), (reply) => {
      if (reply.status === 202) confirmed.requested.push("CANCEL")
    })
    yield* Effect.all([cancel, cancel], { concurrency: "unbounded" })
  })

  const withdrawing = Effect.fnUntraced(function*(id: string) {
    yield* Effect.sleep(leavesAfterMs)
    const proposal_id = String(at(yield* retry("read", shop.read(id)), "proposal_id"))
    const reply = yield* command("withdraw", (sent) => shop.withdraw(proposal_id, sent))
    if (reply.status === 202) confirmed.requested.push("WITHDRAW")
  })

  const submitKyc = Effect.fnUntraced(function*(id: string) {
    const { address, name, ...rest } = kycOf(cpf)
    if (splitsKyc) yield* command("kyc, a part", (sent) => shop.submitKyc(id, { address, name }, sent))
    yield* command("kyc", (sent) => shop.submitKyc(id, splitsKyc ? rest : { address, name, ...rest }, sent))
  })

  const run = Effect.gen(function*() {
    const opened = yield* command("open", (sent) => shop.open(cpf, external_id, sent))
    const id = idOf(opened)
    confirmed.application_id = id
    const quoted = (reply: Reply) => {
      if (reply.status >= 300) return
      confirmed.quotes.push({ quote_id: at(reply, "quote", "quote_id"), number: at(reply, "quote", "number") })
    }
    quoted(opened)
    if (leaves === "OPENED") yield* cancelling(id)
    for (let requoted = 0, hasWithdrawn = false;;) {
      const status = yield* settled(id)
      const action = at(status, "next_action")
      note(`${String(at(status, "status"))}, ${String(action)}`)
      if (at(status, "status") === "CONTRACTED" && leaves === "PAID" && !hasWithdrawn) {
        hasWithdrawn = true
        yield* withdrawing(id)
        continue
      }
      if (action === "NONE" || action === "RETRY_LATER") return status
      if (action === "REQUOTE" || (at(status, "status") === "QUOTED" && requoted++ < requotes)) {
        quoted(yield* command("requote", (sent) => shop.requote(id, sent)))
      } else if (leaves === "QUOTED" && at(status, "status") === "QUOTED") yield* cancelling(id)
      else if (action === "SUBMIT_KYC") yield* submitKyc(id)
      else if (action === "ACCEPT_OFFER") {
        const application = yield* retry("read", shop.read(id))
        const offers = at(application, "quote", "offers") as ReadonlyArray<unknown>
        if (leaves === "RACING") {
          yield* Effect.all([accepting(id, offers), cancelling(id)], { concurrency: "unbounded" })
        } else yield* accepting(id, offers)
        if (leaves === "ACCEPTED") yield* cancelling(id)
      } else if (action === "FIX_KYC") {
        if (leaves === "REFUSED") yield* cancelling(id)
        else {
          const address = { ...kycOf(cpf).address, number: "S/N" }
          yield* command("kyc, the house number", (sent) => shop.submitKyc(id, { address }, sent))
          if (leaves === "CORRECTED") yield* cancelling(id)
        }
      } else {
        const pix = { type: "EMAIL", key: "ana@example.com" }
        yield* command("kyc, where to pay", (sent) => shop.submitKyc(id, { pix }, sent))
        if (leaves === "CORRECTED") yield* cancelling(id)
      }
    }
  })
  return { cpf, external_id, confirmed, history, run, waitingSince: () => waitingSince }
}
