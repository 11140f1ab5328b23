import { assert, describe, it } from "@effect/vitest"
import { maskCpf } from "@lastro/domain/values"
import { PendingWork, storeForest, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { withServer } from "../harness.ts"
import { givenOpened, givenVoice, type Voice } from "../origination.ts"

const list = (voice: Voice, query: string) => voice.send(`/api/v1/fgts/applications${query}`)

const idsOf = (reply: Reply): ReadonlyArray<unknown> =>
  (at(reply, "content") as ReadonlyArray<Record<string, unknown>>).map(({ application_id }) => application_id)

describe("the list of applications", () => {
  it.effect("is a page of items with the derived status, newest first", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const voice = yield* givenVoice(root)
      const first = yield* givenOpened(voice)
      yield* (yield* PendingWork).finish
      yield* TestClock.adjust("1 minute")
      const second = yield* givenOpened(voice)
      const reply = yield* list(voice, "")
      assert.strictEqual(reply.status, 200)
      assert.strictEqual(reply.headers.get("cache-control"), "private, no-cache")
      const quoted = yield* voice.read(first.id)
      assert.deepStrictEqual(reply.body, {
        content: [
          {
            application_id: second.id,
            external_id: at(second.created, "external_id"),
            partner_id: root.partner_id,
            created_by: voice.user.user_id,
            status: "QUOTING",
            next_action: "WAIT",
            proposal_status: null,
            customer: { name: second.customer.name, cpf: second.customer.cpf },
            quote_status: "PENDING",
            best_net_amount: null,
            rejection: null,
            proposal_id: null,
            metadata: {},
            created_at: at(second.created, "created_at"),
            updated_at: at(second.created, "updated_at")
          },
          {
            application_id: first.id,
            external_id: at(first.created, "external_id"),
            partner_id: root.partner_id,
            created_by: voice.user.user_id,
            status: "QUOTED",
            next_action: "SUBMIT_KYC",
            proposal_status: null,
            customer: { name: first.customer.name, cpf: first.customer.cpf },
            quote_status: "COMPLETED",
            best_net_amount: at(quoted, "quote", "offers", 0, "net_amount"),
            rejection: null,
            proposal_id: null,
            metadata: {},
            created_at: at(first.created, "created_at"),
            updated_at: at(quoted, "updated_at")
          }
        ],
        page: { number: 0, size: 20, total_elements: 2, total_pages: 1 },
        sort: [{ property: "created_at", direction: "desc" }]
      })
    })))

  it.effect("FGTS-50 PAGE-29 filters by the status at the time of the request, and an expiry moves no item", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const first = yield* givenOpened(voice)
      yield* (yield* PendingWork).finish
      const updated_at = at(yield* list(voice, "?status=QUOTED"), "content", 0, "updated_at")
      assert.strictEqual(at(yield* list(voice, "?status=EXPIRED"), "page", "total_elements"), 0)
      yield* TestClock.adjust("25 hours")
      const second = yield* givenOpened(voice)
      assert.deepStrictEqual(idsOf(yield* list(voice, "?status=QUOTED")), [])
      const expired = yield* list(voice, "?status=EXPIRED&sort=updated_at,desc")
      assert.deepStrictEqual(idsOf(expired), [first.id])
      assert.strictEqual(at(expired, "content", 0, "updated_at"), updated_at)
      assert.deepStrictEqual(idsOf(yield* list(voice, "?sort=updated_at,desc")), [second.id, first.id])
      assert.deepStrictEqual(idsOf(yield* list(voice, "?sort=updated_at")), [first.id, second.id])
      const later = encodeURIComponent(String(at(second.created, "updated_at")))
      assert.deepStrictEqual(idsOf(yield* list(voice, `?updated_from=${later}`)), [second.id])
      assert.deepStrictEqual(idsOf(yield* list(voice, `?created_to=${later}`)), [first.id])
    })))

  it.effect("FGTS-52 with external_id alone it is the search, and with another parameter the page", () =>
    withServer(Effect.gen(function*() {
      const [root, a] = yield* storeForest([null, 0])
      const [above, below] = [yield* givenVoice(root), yield* givenVoice(a)]
      const { id } = yield* givenOpened(above, { external_id: "x" })
      const own = yield* givenOpened(below, { external_id: "x" })
      assert.strictEqual(at(yield* above.search("x"), "data", "length"), 2)
      assert.deepStrictEqual(problemsOf(yield* list(above, "?external_id=x&unknown=1")), [
        "query.unknown UNKNOWN_FIELD"
      ])
      for (const other of ["size=20", "page=0", "sort=", "status="]) {
        assert.sameMembers([...idsOf(yield* list(above, `?external_id=x&${other}`))], [id, own.id])
      }
      assert.deepStrictEqual(idsOf(yield* list(above, `?external_id=x&partner_id=${a.partner_id}`)), [own.id])
      assert.deepStrictEqual(idsOf(yield* list(below, "?external_id=x&size=1")), [own.id])
      assert.deepStrictEqual(idsOf(yield* list(below, "?external_id=y&size=1")), [])
    })))

  it.effect("T63 FGTS-51 CPFs are masked without kyc:read, and no filter confirms a guess", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const voice = yield* givenVoice(root)
      const viewer = yield* givenVoice(root, "viewer")
      const { customer, id } = yield* givenOpened(voice)
      yield* givenOpened(voice)
      assert.deepStrictEqual(idsOf(yield* list(voice, `?cpf=${customer.cpf}`)), [id])
      const masked = yield* list(viewer, "?sort=created_at")
      assert.notInclude(masked.text, customer.cpf)
      assert.include(masked.text, maskCpf(customer.cpf))
      for (const guess of [customer.cpf, "52998224725", "no CPF"]) {
        const refused = yield* list(viewer, `?cpf=${encodeURIComponent(guess)}`)
        assert.deepStrictEqual([refused.status, codeOf(refused)], [403, "PERMISSION_DENIED"])
      }
    })))

  it.effect("PAGE-23 reports every problem of a query", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const reply = yield* list(voice, "?cpf=1&status=PAID&rejection_code=X&size=x&sort=status&partner_id=1")
      assert.strictEqual(reply.status, 422)
      assert.sameMembers([...problemsOf(reply)], [
        "query.size INVALID_TYPE",
        "query.cpf INVALID_FORMAT",
        "query.status UNKNOWN_VALUE",
        "query.rejection_code UNKNOWN_VALUE",
        "query.partner_id INVALID_FORMAT",
        "query.sort UNKNOWN_VALUE"
      ])
    })))
})
