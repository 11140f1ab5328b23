import { assert, describe } from "@effect/vitest"
import { type CallbackTarget, Lender } from "@lastro/domain/lender"
import { exampleProposal as proposal_id } from "@lastro/testkit"
import { type SentWebhook } from "@lastro/testkit/qitech"
import { ask, beginning, caught, deliver, offered, onQitech, otherKey, stateOf, submissionOf } from "./harness.ts"

describe("a callback of QI Tech", () => {
  onQitech("names the quote of a balance, and the proposal of a debt", function*({ simulator }) {
    const lender = yield* Lender
    const offer = yield* offered(simulator)
    const contract = yield* lender.submit(submissionOf(offer))
    const [created] = yield* caught(simulator)
    const expected: ReadonlyArray<CallbackTarget> = [{ kind: "contract", proposal_id }]
    assert.deepStrictEqual(yield* lender.callback(created!), expected)
    simulator.sign()
    const [signed] = yield* caught(simulator)
    assert.deepInclude(yield* lender.callback(signed!), { kind: "contract", reference: contract.reference })
    assert.deepInclude(yield* lender.callback(signed!), { kind: "contract", reference: `${contract.reference}/2` })
    const asked = yield* ask("00")
    const [balance] = yield* caught(simulator)
    const callback_key = asked.kind === "PENDING" ? asked.callback_key! : ""
    assert.deepStrictEqual(yield* lender.callback(balance!), [{
      kind: "quote",
      callback_key,
      lender_state: JSON.stringify({
        v: 1,
        key: callback_key,
        received_at: beginning,
        periods: [["2027-08-01", 500], ["2028-08-01", 500], ["2029-08-01", 500]]
      })
    }])
  })

  const changes: ReadonlyArray<readonly [name: string, change: (webhook: SentWebhook) => SentWebhook]> = [
    ["another body", (webhook) => ({ ...webhook, body: new Uint8Array([...webhook.body, 32]) })],
    ["another path", (webhook) => ({ ...webhook, path: "/elsewhere" })],
    ["another method", (webhook) => ({ ...webhook, method: "PUT" })],
    ["no token", (webhook) => ({ ...webhook, headers: {} })],
    ["a token that is no token", (webhook) => ({ ...webhook, headers: { authorization: "a.b.c" } })],
    [
      "a token without a signature",
      (webhook) => ({
        ...webhook,
        headers: {
          authorization: [
            Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url"),
            webhook.headers["authorization"]!.split(".")[1],
            ""
          ].join(".")
        }
      })
    ]
  ]
  for (const [name, change] of changes) {
    onQitech(`is refused with ${name}, and brings no result`, function*({ simulator }) {
      const lender_state = stateOf(yield* ask("00"))
      assert.deepStrictEqual(yield* deliver(simulator, { change }), [401])
      assert.strictEqual((yield* ask("00", { lender_state })).kind, "PENDING")
    })
  }

  onQitech("is refused if another key signed it, or if it is too old or too new", function*({ simulator }) {
    yield* ask("00")
    assert.deepStrictEqual(yield* deliver(simulator, { signedWith: otherKey }), [401])
    yield* ask("00")
    assert.deepStrictEqual(yield* deliver(simulator, { signedAt: beginning - 31 * 60_000 }), [401])
    yield* ask("00")
    assert.deepStrictEqual(yield* deliver(simulator, { signedAt: beginning + 6 * 60_000 }), [401])
    yield* ask("00")
    assert.deepStrictEqual(yield* deliver(simulator, { signedAt: beginning - 20 * 60_000 }), [204])
  })

  onQitech("may be repeated and reordered, and may have an unknown type", function*({ simulator }) {
    const one = stateOf(yield* ask("00"))
    const other = stateOf(yield* ask("91"))
    assert.deepStrictEqual(yield* deliver(simulator, { times: 3, reversed: true }), Array(6).fill(204))
    assert.strictEqual((yield* ask("00", { lender_state: one })).kind, "PRICED")
    assert.strictEqual((yield* ask("91", { lender_state: other })).kind, "REFUSED")
  })

  onQitech("is checked against the registered path, if a proxy changes it", function*({ simulator }) {
    yield* ask("00")
    assert.deepStrictEqual(yield* deliver(simulator), [401])
  }, { callbackPath: "/public/callbacks" })
})
