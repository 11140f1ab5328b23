import { layerHttpLender } from "@lastro/adapters-http"
import { type ProposalId } from "@lastro/domain/values"
import { exampleCallbackSecret, recordingLenderServer, signedCallback } from "@lastro/testkit/lender-server"
import { impossible, type LenderFixtures, lenderSuite, sandboxLenderFixtures } from "@lastro/testkit/suites"
import { Clock, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as runner from "vitest"

/** The clock of the lender servers. It follows the test clock. */
let now = 0

const syncClock = Effect.map(Clock.currentTimeMillis, (at) => {
  now = at
})

const proposal_id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f42" as ProposalId

const signed = (content: unknown, at_ms: number) => signedCallback(exampleCallbackSecret, content, { at_ms })

const version2: LenderFixtures = {
  ...sandboxLenderFixtures,
  advance: () => Effect.andThen(TestClock.adjust("1 second"), syncClock),
  callback: {
    authentic: Effect.map(Clock.currentTimeMillis, (at) => signed({ proposal_id }, at)),
    targets: [{ kind: "contract", proposal_id }],
    unknown: Effect.map(Clock.currentTimeMillis, (at) => signed({ type: "newsletter" }, at)),
    forged: Effect.map(Clock.currentTimeMillis, (at) => {
      const authentic = signed({ proposal_id }, at)
      const other = signedCallback(`whsec_${Buffer.alloc(32, 7).toString("base64")}`, { proposal_id }, { at_ms: at })
      return [
        other,
        { ...authentic, body: Buffer.from("{}") },
        { ...authentic, headers: { ...authentic.headers, "webhook-id": "msg_2" } },
        { ...authentic, headers: { ...authentic.headers, "webhook-timestamp": String(Math.floor(at / 1_000) + 1) } },
        { ...authentic, headers: { ...authentic.headers, "webhook-signature": "v1," } },
        { ...authentic, headers: { ...authentic.headers, "webhook-signature": "v2,c2ln" } },
        signed({ proposal_id }, at - 301_000),
        signed({ proposal_id }, at + 301_000)
      ]
    })
  }
}

const onlyVersion2 = impossible("only version 2 of the protocol has it")

const version1: LenderFixtures = {
  ...version2,
  pending: onlyVersion2,
  cancelled: onlyVersion2,
  paid_before_cancellation: onlyVersion2,
  refunded: onlyVersion2,
  refund_expired: onlyVersion2,
  signature_link: onlyVersion2
}

const overHttp = (version: 1 | 2) =>
  Layer.unwrap(Effect.gen(function*() {
    yield* syncClock
    const { url } = yield* recordingLenderServer({ stepMs: 1_000, version, now: () => now })
    const breaker = { failures: 1_000, openFor: "1 second" } as const
    return layerHttpLender({ url, breaker, callbackSecret: Redacted.make(exampleCallbackSecret) })
  }))

lenderSuite("over HTTP, version 2", overHttp(2), runner, { outcomes: version2 })

lenderSuite("over HTTP, version 1", overHttp(1), runner, { outcomes: version1 })
