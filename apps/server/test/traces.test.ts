import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { at, signIn, tokenOf } from "./running/asking.ts"
import { collector } from "./running/collector.ts"
import { applicationClient, idOf, isSettled } from "./running/desk.ts"
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
    "join a request, the job that it starts, and the call to the lender that the job makes",
    () =>
      Effect.gen(function*() {
        const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
        const lender = yield* recordingLenderServer()
        const { received, url } = yield* collector
        const server = yield* startServer({
          ...onPostgres(yield* migratedDatabase),
          ...credentials,
          LASTRO_LENDER: "http",
          LASTRO_LENDER_URL: lender.url,
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json"
        })
        const shop = applicationClient(server, tokenOf(yield* signIn(server)))
        const opened = yield* shop.open(sandboxCpf("00"), "loan", {
          headers: { traceparent: `00-${traceId}-${spanId}-01` }
        })
        const quoted = yield* shop.until(idOf(opened), isSettled)
        assert.strictEqual(at(quoted, "status"), "QUOTED")
        server.kill("SIGTERM")
        yield* server.ended

        const spans = spansOf(received("/v1/traces")).filter((span) => span.traceId === traceId)
        const byId = new Map(spans.map((span) => [span.spanId, span]))
        const [call] = lender.calls
        assert.strictEqual(call?.path, "/quotes")
        const [, ofCall, client] = String(call?.headers["traceparent"]).split("-")
        assert.strictEqual(ofCall, traceId)
        const ancestors: Array<string> = []
        for (let id: string | undefined = client; id !== undefined && id !== spanId; id = byId.get(id)?.parentSpanId) {
          ancestors.push(`${byId.get(id)?.kind} ${byId.get(id)?.name}`)
        }
        const kinds = ancestors.filter((one) => !one.startsWith("1 "))
        assert.deepStrictEqual(kinds, [
          "3 POST",
          "5 process quote",
          "4 DurableWork.startQuote",
          "2 POST /api/v1/fgts/applications"
        ])
      }),
    60_000
  )
})
