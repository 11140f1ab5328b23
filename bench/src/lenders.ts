import { PgClient } from "@effect/sql-pg"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { createServer } from "node:http"
import { signIn, tokenOf } from "../../apps/server/test/running/asking.ts"
import { patientClient } from "../../apps/server/test/running/desk.ts"
import { onPostgres, startServer } from "../../apps/server/test/running/serving.ts"
import { benchmark, shown, table, whole } from "./harness/benchmark.ts"
import { freshDatabase, server } from "./harness/database.ts"
import { ascending, quantile } from "./harness/statistics.ts"

/** Starts a lender that accepts every request and never answers. */
const silentLender = Effect.acquireRelease(
  Effect.promise(async () => {
    const listener = createServer(() => {})
    await new Promise<void>((resolve) => void listener.listen(0, "127.0.0.1", resolve))
    const address = listener.address()
    return { listener, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` }
  }),
  ({ listener }) =>
    Effect.sync(() => {
      listener.closeAllConnections()
      listener.close()
    })
)

/** Starts a server on a new database, with the given lenders and one that answers after a delay. */
const startDesk = Effect.fnUntraced(
  function*(postgres: string, answerMs: number, name: string, others: Readonly<Record<string, string>>) {
    const url = yield* freshDatabase(postgres)
    const good = yield* recordingLenderServer({ answerMs })
    const lenders: Readonly<Record<string, string>> = { good: good.url, ...others }
    const running = yield* startServer({
      ...onPostgres(url),
      LASTRO_LENDER: "",
      LASTRO_LENDERS: Object.keys(lenders).map((code) => `${code}=http`).join(","),
      ...Object.fromEntries(
        Object.entries(lenders).map(([code, one]) => [`LASTRO_LENDER_${code.toUpperCase()}_URL`, one])
      )
    })
    const sql = yield* Effect.provide(PgClient.make({ url: Redacted.make(url), maxConnections: 1 }), Reactivity.layer)
    return { name, sql, client: patientClient(running, tokenOf(yield* signIn(running))) }
  }
)

type Desk = Effect.Success<ReturnType<typeof startDesk>>

let customers = 0

/**
 * Opens one application every `every` milliseconds, and waits until all of them have offers of the first lender.
 * Returns the milliseconds until these offers for each application, by the server's clock.
 */
const quote = Effect.fnUntraced(function*({ client, sql }: Desk, applications: number, every: number) {
  const start = performance.now()
  const [{ known = 0 } = {}] = yield* sql<{ readonly known: number }>`select count(*)::int as known from quote`
  const open = (turn: number) =>
    Effect.sleep(Math.max(0, start + turn * every - performance.now())).pipe(
      Effect.andThen(client.open(sandboxCpf("00", customers++))),
      Effect.tap(({ status, text }) => status === 201 ? Effect.void : Effect.die(new Error(text)))
    )
  yield* Effect.forEach(Array.from({ length: applications }).keys(), open, { concurrency: 16, discard: true })
  const answered = sql<{ readonly wait: number }>`
    select extract(epoch from (part ->> 'completed_at')::timestamptz - created_at)::float8 * 1000 as wait
    from application join quote on quote.application_id = application.id
    cross join json_array_elements(facts -> 'parts') part
    where part -> 'lender' ->> 'code' = 'good' and part ->> 'outcome' = 'COMPLETED' order by created_at`
  let quotes = yield* answered
  while (quotes.length < known + applications) {
    yield* Effect.sleep("100 millis")
    quotes = yield* answered
  }
  return quotes.slice(known).map(({ wait }) => wait)
})

const flags = {
  quotes: whole("quotes", 1_000, "Number of quotes for each row"),
  every: whole("every", 100, "Milliseconds between two quotes of a row"),
  answer: whole("answer", 500, "Milliseconds after which the first lender answers"),
  warmUp: whole("warm-up", 200, "Number of quotes of each row that are not measured")
}

/**
 * Measures the offers of one lender, alone and next to a lender that never answers. Both servers run at the same time,
 * so that other load on the machine affects both.
 */
export const lenders = benchmark(
  "lenders",
  "Measures quotes at a lender, alone and beside a lender that never answers",
  flags,
  Effect.fnUntraced(function*({ answer, every, quotes, warmUp }) {
    const postgres = yield* server
    const silent = yield* silentLender
    const desks = [
      yield* startDesk(postgres, answer, "alone", {}),
      yield* startDesk(postgres, answer, "beside a silent lender", { silent: silent.url })
    ]
    const quoteAll = (count: number) =>
      Effect.forEach(desks, (desk) => quote(desk, count, every), { concurrency: desks.length })
    yield* quoteAll(warmUp)
    const waits = yield* quoteAll(quotes)
    const results = waits.map((all, index) => {
      const sorted = ascending(all)
      return { name: desks[index]?.name ?? "", p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
    })
    const [alone] = results
    return {
      lines: [table(
        ["offers of the first lender", "p50 ms", "p99 ms", "p50, × alone", "p99, × alone"],
        results.map(({ name, p50, p99 }) => [
          name,
          ...[p50, p99].map((value) => shown(value, 1)),
          ...[p50 / (alone?.p50 ?? Number.NaN), p99 / (alone?.p99 ?? Number.NaN)].map((value) => shown(value, 2))
        ])
      )],
      results: { results }
    }
  })
)
