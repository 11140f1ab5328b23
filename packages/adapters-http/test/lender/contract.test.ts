import { layerHttpLender } from "@lastro/adapters-http"
import { sandboxCpf } from "@lastro/domain/adapters"
import { type ProposalId } from "@lastro/domain/values"
import {
  exampleCallbackSecret,
  type LenderFault,
  type RecordingLenderServer,
  recordingLenderServer,
  signedCallback
} from "@lastro/testkit/lender-server"
import {
  impossible,
  type LenderFailure,
  type LenderFixtures,
  lenderSuite,
  sandboxLenderFixtures
} from "@lastro/testkit/suites"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as runner from "vitest"

/** The lender server of a suite. */
class Server extends Context.Service<Server, RecordingLenderServer>()("test/lender/Server") {}

const inject = (fault: LenderFault) => Server.use((server) => Effect.sync(() => server.injectFaults(fault)))

/** A status that no version of the protocol has. */
const unknownStatus = JSON.stringify({ reference: "lender/1", status: "SHREDDED", disbursement_attempt: 1 })

const failures: ReadonlyArray<LenderFailure<Server>> = [
  { name: "status 500", inject: inject({ status: 500 }) },
  {
    name: "status 500 with a decision",
    inject: inject({ status: 500, body: `{"kind":"REFUSED","status":"REJECTED"}` })
  },
  { name: "status 404", inject: inject({ status: 404 }) },
  { name: "an HTML page", inject: inject({ status: 200, body: "<html></html>" }) },
  { name: "an unknown status", inject: inject({ status: 200, body: unknownStatus }) },
  { name: "a closed connection", inject: inject("DROP") },
  { name: "refused credentials", reason: "FORBIDDEN", inject: inject({ status: 401 }) },
  { name: "too many calls", reason: "THROTTLED", inject: inject({ status: 429 }) }
]

const refused = inject({ status: 422, headers: { "lastro-lender-protocol": "2" }, body: "{}" })

/** The clock of the lender servers. It follows the test clock. */
let now = 0

const syncClock = Effect.map(Clock.currentTimeMillis, (at) => {
  now = at
})

const proposal_id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f42" as ProposalId

const signed = (content: unknown, at_ms: number) => signedCallback(exampleCallbackSecret, content, { at_ms })

const version2: LenderFixtures<Server> = {
  ...sandboxLenderFixtures,
  advance: () => Effect.andThen(TestClock.adjust("1 second"), syncClock),
  failing: { customer: { cpf: sandboxCpf("00") }, failures },
  destination_refused: { customer: { cpf: sandboxCpf("88") }, refuse: refused },
  cancelled_by_proposal: { customer: { cpf: sandboxCpf("00") } },
  cancelled_before_submission: { customer: { cpf: sandboxCpf("00") } },
  exit_refused: {
    customer: { cpf: sandboxCpf("00") },
    exits: ["cancel", "refund", "signature_link"],
    refuse: refused
  },
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

const version1: LenderFixtures<Server> = {
  ...version2,
  pending: onlyVersion2,
  in_analysis: onlyVersion2,
  settled: onlyVersion2,
  cancelled: onlyVersion2,
  cancelled_by_proposal: onlyVersion2,
  cancelled_before_submission: onlyVersion2,
  exit_refused: onlyVersion2,
  paid_before_cancellation: onlyVersion2,
  refunded: onlyVersion2,
  refund_expired: onlyVersion2,
  signature_link: onlyVersion2
}

const overHttp = (version: 1 | 2) =>
  Layer.unwrap(Effect.gen(function*() {
    yield* syncClock
    const server = yield* recordingLenderServer({ stepMs: 1_000, version, now: () => now })
    const breaker = { failures: 1_000, openFor: "1 second" } as const
    return Layer.merge(
      layerHttpLender({ url: server.url, breaker, callbackSecret: Redacted.make(exampleCallbackSecret) }),
      Layer.succeed(Server, server)
    )
  }))

lenderSuite("over HTTP, version 2", overHttp(2), runner, { outcomes: version2 })

lenderSuite("over HTTP, version 1", overHttp(1), runner, { outcomes: version1 })
