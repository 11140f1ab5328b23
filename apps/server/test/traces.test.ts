import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, at, signIn, tokenOf } from "./running/asking.ts"
import { collector } from "./running/collector.ts"
import { applicationClient, idOf, isSettled } from "./running/desk.ts"
import { aReceiver } from "./running/receiver.ts"
import { credentials, onPostgres, startServer } from "./running/serving.ts"

interface Exported {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 2: server, 3: client, 4: producer, 5: consumer (OTLP). */
  readonly kind: number
}

/** Reads the spans of concatenated requests in the JSON format of OTLP. */
const spansOf = (received: Buffer): ReadonlyArray<Exported> =>
  Array.from(
    received.toString("utf8").matchAll(
      /\{"traceId":"[0-9a-f]{32}","spanId":"[0-9a-f]{16}".*?"name":"[^"]*","kind":\d/g
    ),
    ([text]) => JSON.parse(`${text}}`) as Exported
  )

describe("traces", () => {
  it.live(
    "join a request, its job, the call to the lender, and the delivery of the event to a webhook",
    () =>
      Effect.gen(function*() {
        const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
        const lender = yield* recordingLenderServer()
        const { received, url } = yield* collector
        const receiver = yield* aReceiver(204)
        const server = yield* startServer({
          ...onPostgres(yield* migratedDatabase),
          ...credentials,
          LASTRO_LENDER: "http",
          LASTRO_LENDER_URL: lender.url,
          LASTRO_WEBHOOK_ALLOW: new URL(receiver.url).host,
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json"
        })
        const token = tokenOf(yield* signIn(server))
        const json = { url: receiver.url, types: ["application.quoted"] }
        assert.strictEqual((yield* ask(server, "/api/v1/webhooks", { token, json })).status, 201)
        const shop = applicationClient(server, token)
        const opened = yield* shop.open(sandboxCpf("00"), "loan", {
          headers: { traceparent: `00-${traceId}-${spanId}-01` }
        })
        const quoted = yield* shop.until(idOf(opened), isSettled)
        assert.strictEqual(at(quoted, "status"), "QUOTED")
        yield* receiver.reaches("application.quoted")
        server.kill("SIGTERM")
        yield* server.ended

        const spans = spansOf(received("/v1/traces")).filter((span) => span.traceId === traceId)
        const byId = new Map(spans.map((span) => [span.spanId, span]))
        /** Returns the kinds and names of the span in a header and of its ancestors, without internal spans. */
        const ancestorsOf = (header: unknown) => {
          const [, trace, last] = String(header).split("-")
          assert.strictEqual(trace, traceId)
          const ancestors: Array<string> = []
          for (let id: string | undefined = last; id !== undefined && id !== spanId; id = byId.get(id)?.parentSpanId) {
            ancestors.push(`${byId.get(id)?.kind} ${byId.get(id)?.name}`)
          }
          return ancestors.filter((one) => !one.startsWith("1 "))
        }
        const [call] = lender.calls
        assert.strictEqual(call?.path, "/quotes")
        const ofJob = ["5 process quote", "4 DurableWork.startQuote", "2 POST /api/v1/fgts/applications"]
        assert.deepStrictEqual(ancestorsOf(call?.headers["traceparent"]), ["3 POST", ...ofJob])
        assert.deepStrictEqual(
          receiver.received.map(({ headers }) => ancestorsOf(headers["traceparent"])),
          [["5 process webhook", ...ofJob]]
        )
      }),
    60_000
  )
})
