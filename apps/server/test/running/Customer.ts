import { type Cpf } from "@lastro/domain"
import { Effect, Exit } from "effect"
import { at, type Reply, type Sent } from "./asking.ts"
import { type Desk, idOf, isSettled, kycOf } from "./desk.ts"
import { type Mortal } from "./Mortal.ts"

/** What a 2xx told a customer: it has to hold whatever happens afterwards. */
interface Promised {
  application_id: string | undefined
  readonly quotes: Array<{ readonly number: unknown; readonly quote_id: unknown }>
  readonly accepted: Array<{ readonly offer_id: string; readonly proposal_id: unknown }>
  /** What was answered otherwise when it was asked again. */
  readonly contradicted: Array<string>
}

/** A customer on their way to a loan. */
export interface Customer {
  readonly cpf: Cpf
  readonly external_id: string
  readonly promised: Promised
  /** What they asked for and what they were answered, a line each. */
  readonly history: ReadonlyArray<string>
  /** Goes the whole way, asking again for whatever is not answered; tells where the way ended. */
  readonly lives: Effect.Effect<Reply>
}

/** How a customer goes about it. */
export interface Manners {
  /** So many times they ask for another quote before they are content. */
  readonly requotes: number
  /** Whether they tell who they are in two parts. */
  readonly hesitates: boolean
  /** Whether they accept every offer at once. */
  readonly wantsAll: boolean
}

/** Answers that say nothing about what was asked: the same has to be asked again. */
const sayNothing = (reply: Reply): boolean =>
  reply.status >= 500 || at(reply, "error", "code") === "IDEMPOTENCY_IN_FLIGHT"

const codeOf = (reply: Reply): string =>
  [reply.status, at(reply, "error", "code") ?? at(reply, "status") ?? ""].join(" ").trim()

/**
 * A customer at the desk of a shop whose server dies now and then. What they ask to be done carries a key, and is asked again with
 * the same key until there is an answer; `steps` is told of what they ask, and of each answer.
 */
export const customer = (
  server: Mortal,
  shop: Desk,
  { cpf, external_id }: Pick<Customer, "cpf" | "external_id">,
  { hesitates, requotes, wantsAll }: Manners,
  steps: () => void
): Customer => {
  const began = performance.now()
  const history: Array<string> = []
  const promised: Promised = { application_id: undefined, quotes: [], accepted: [], contradicted: [] }
  const note = (what: string): void => void history.push(`${Math.round(performance.now() - began)} ms ${what}`)

  const persist = Effect.fnUntraced(function*(what: string, asking: Effect.Effect<Reply>) {
    while (true) {
      yield* server.alive
      const asked = yield* Effect.exit(asking)
      if (Exit.isFailure(asked) || asked.value.status !== 304) {
        note(`${what}: ${Exit.isSuccess(asked) ? codeOf(asked.value) : "no answer"}`)
      }
      if (Exit.isSuccess(asked) && !sayNothing(asked.value)) return asked.value
      yield* Effect.sleep("20 millis")
    }
  })

  let keys = 0
  const doing = Effect.fnUntraced(function*(what: string, act: (sent: Sent) => Effect.Effect<Reply>) {
    const asking = act({ headers: { "Idempotency-Key": `${external_id}/${++keys}` } })
    const forgets = keys % 3 === 0
    steps()
    const first = yield* persist(what, asking)
    steps()
    if (!forgets || first.status >= 300) return first
    // As if the answer had been lost on its way.
    const again = yield* persist(`${what}, again`, asking)
    if (again.text !== first.text) promised.contradicted.push(what)
    return again
  })

  const settled = Effect.fnUntraced(function*(id: string) {
    let known: string | null = null
    while (true) {
      const status: Reply = yield* persist("wait", shop.status(id, { wait: known === null ? 0 : 5, known }))
      if (status.status === 200 && isSettled(status)) return status
      known = status.headers.get("etag")
      if (status.headers.has("retry-after")) yield* Effect.sleep("200 millis")
    }
  })

  const accepting = Effect.fnUntraced(function*(id: string, offers: ReadonlyArray<unknown>) {
    const ids = offers.map((offer) => String(Object(offer)["offer_id"]))
    const accept = Effect.fnUntraced(function*(offer_id: string) {
      const reply = yield* doing("accept", (sent) => shop.accept(id, offer_id, sent))
      if (reply.status === 202) promised.accepted.push({ offer_id, proposal_id: at(reply, "proposal_id") })
    })
    // The first offer twice: with another key it is another request, and the same acceptance.
    yield* Effect.forEach(wantsAll ? [...ids, ...ids] : ids.slice(0, 1), accept, { concurrency: "unbounded" })
  })

  const telling = Effect.fnUntraced(function*(id: string) {
    const { address, name, ...rest } = kycOf(cpf)
    if (hesitates) yield* doing("kyc, a part", (sent) => shop.submitKyc(id, { address, name }, sent))
    yield* doing("kyc", (sent) => shop.submitKyc(id, hesitates ? rest : { address, name, ...rest }, sent))
  })

  const lives = Effect.gen(function*() {
    const opened = yield* doing("open", (sent) => shop.open(cpf, external_id, sent))
    const id = idOf(opened)
    promised.application_id = id
    const quoted = (reply: Reply) => {
      if (reply.status >= 300) return
      promised.quotes.push({ quote_id: at(reply, "quote", "quote_id"), number: at(reply, "quote", "number") })
    }
    quoted(opened)
    for (let wished = 0;;) {
      const status = yield* settled(id)
      const action = at(status, "next_action")
      note(`${String(at(status, "status"))}, ${String(action)}`)
      if (action === "NONE") return status
      if (action === "REQUOTE" || (at(status, "status") === "QUOTED" && wished++ < requotes)) {
        quoted(yield* doing("requote", (sent) => shop.requote(id, sent)))
      } else if (action === "SUBMIT_KYC") yield* telling(id)
      else if (action === "ACCEPT_OFFER") {
        const application = yield* persist("read", shop.read(id))
        yield* accepting(id, at(application, "quote", "offers") as ReadonlyArray<unknown>)
      } else {
        const pix = { type: "EMAIL", key: "ana@example.com" }
        yield* doing("kyc, where to pay", (sent) => shop.submitKyc(id, { pix }, sent))
      }
    }
  })
  return { cpf, external_id, promised, history, lives }
}
