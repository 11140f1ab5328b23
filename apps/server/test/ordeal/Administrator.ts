import { completeCnpj } from "@lastro/domain/values"
import { Effect, Exit, Random } from "effect"
import { at, type Reply, type Sent } from "../running/asking.ts"
import { type Fleet } from "./Fleet.ts"

/** A partner, as the last 2xx response left it. */
interface Confirmed {
  name: string
  parent: string | null
}

/** A simulated administrator who creates, renames, moves and reads partners. */
export interface Administrator {
  /** Performs actions until `isOver`. A started action is always finished. */
  readonly run: (isOver: () => boolean) => Effect.Effect<void>
  /** Lists the violated requirements. */
  readonly violations: Effect.Effect<ReadonlyArray<string>>
}

const isConclusive = (reply: Reply): boolean =>
  reply.status < 500 && at(reply, "error", "code") !== "IDEMPOTENCY_IN_FLIGHT"

/** Removes the field that versions up to 0.1.0 wrote for a partner without metadata, and later ones leave out. */
const withoutEmptyMetadata = (text: string): string => text.replace(",\"metadata\":{}", "")

const path = (id = ""): string => `/api/v1/partners${id === "" ? "" : `/${id}`}`

/** Makes an administrator, who alone changes its partners. `series` must be unique in the database. */
export const administrator = ({ send }: Fleet, series: number): Administrator => {
  const partners = new Map<string, Confirmed>()
  const found = new Set<string>()
  let created = 0

  /** Repeats a request until its outcome is known. */
  const insist = (to: string, sent: Sent = {}): Effect.Effect<Reply> =>
    Effect.gen(function*() {
      while (true) {
        const exit = yield* Effect.exit(send(to, sent))
        if (Exit.isSuccess(exit) && isConclusive(exit.value)) return exit.value
        yield* Effect.sleep("200 millis")
      }
    })

  /** Compares a partner with the last confirmed response. */
  const compare = Effect.fnUntraced(function*(id: string, { name, parent }: Confirmed) {
    const reply = yield* insist(path(id))
    if (reply.status !== 200) return void found.add(`a confirmed partner is read with ${reply.status}`)
    if (at(reply, "data", "name") !== name) found.add("a confirmed name is lost")
    if (parent !== null && at(reply, "data", "parent_id") !== parent) found.add("a confirmed move is lost")
  })

  const create = Effect.gen(function*() {
    const number = series * 100_000 + created++
    const name = `Partner ${number}`
    const partner = {
      type: "pj",
      name,
      email: `partner${number}@example.com`,
      phone: "11987654321",
      document_number: completeCnpj(`ORD${String(number).padStart(9, "0")}`)
    }
    const sent = { json: { partner }, headers: { "Idempotency-Key": `partner/${number}` } }
    const reply = yield* insist(path(), sent)
    if (reply.status !== 201) return void found.add(`a partner is created with ${reply.status}: ${reply.text}`)
    const id = String(at(reply, "data", "partner_id"))
    partners.set(id, { name, parent: null })
    if (withoutEmptyMetadata((yield* insist(path(), sent)).text) !== withoutEmptyMetadata(reply.text)) {
      found.add("a replayed creation has another response")
    }
    return id
  })

  const change = Effect.fnUntraced(function*(id: string, partner: { name: string } | { parent_uuid: string }) {
    const reply = yield* insist(path(id), { method: "PATCH", json: { partner } })
    const confirmed = partners.get(id)
    if (confirmed === undefined) return
    if (reply.status === 200) {
      if ("name" in partner) confirmed.name = partner.name
      else confirmed.parent = partner.parent_uuid
    } else if (at(reply, "error", "details", 0, "code") !== "CYCLE") {
      found.add(`a partner is changed with ${reply.status}: ${reply.text}`)
    }
  })

  const act = Effect.gen(function*() {
    const dice = yield* Random.next
    const ids = Array.from(partners.keys())
    if (ids.length < 2 || dice < 0.3) return yield* create
    const [id = "", parent_uuid = ""] = yield* Random.shuffle(ids)
    if (dice < 0.5) yield* change(id, { name: `Renamed ${Math.floor(dice * 1e9)}` })
    else if (dice < 0.6) yield* change(id, { parent_uuid })
    else if (dice < 0.8) yield* insist(`${path()}?size=5&sort=name&name=renamed`)
    const confirmed = partners.get(id)
    if (confirmed !== undefined) yield* compare(id, confirmed)
  })

  return {
    run: (isOver) =>
      Effect.gen(function*() {
        while (!isOver()) {
          yield* act
          yield* Effect.sleep(yield* Random.nextIntBetween(50, 250))
        }
      }),
    violations: Effect.gen(function*() {
      for (const [id, confirmed] of partners) yield* compare(id, confirmed)
      return Array.from(found)
    })
  }
}
