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
import { ascending, median, quantile } from "./harness/statistics.ts"

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

/** Starts a server on a new database, with a lender that answers at once, and the others. */
const startDesk = Effect.fnUntraced(
  function*(postgres: string, name: string, others: Readonly<Record<string, string>>) {
    const url = yield* freshDatabase(postgres)
    const good = yield* recordingLenderServer()
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
 * Opens applications, at most 16 at a time, and waits until the good lender has offered in all of them. Returns the
 * milliseconds until then, and those of each application.
 */
const quote = Effect.fnUntraced(function*({ client, sql }: Desk, applications: number) {
  const [{ known = 0 } = {}] = yield* sql<{ readonly known: number }>`select count(*)::int as known from quote`
  const start = performance.now()
  const open = Effect.suspend(() => client.open(sandboxCpf("00", customers++))).pipe(
    Effect.tap(({ status, text }) => status === 201 ? Effect.void : Effect.die(new Error(text)))
  )
  yield* Effect.replicateEffect(open, applications, { concurrency: 16, discard: true })
  const answered = sql<{ readonly wait: number }>`
    select extract(epoch from (part ->> 'completed_at')::timestamptz - created_at)::float8 * 1000 as wait
    from application join quote on quote.application_id = application.id
    cross join json_array_elements(facts -> 'parts') part
    where part -> 'lender' ->> 'code' = 'good' and part ->> 'outcome' = 'COMPLETED' order by created_at`
  let quotes = yield* answered
  while (quotes.length < known + applications) {
    yield* Effect.sleep("20 millis")
    quotes = yield* answered
  }
  return { took: performance.now() - start, waits: quotes.slice(known).map(({ wait }) => wait) }
})

const flags = {
  quotes: whole("quotes", 1_000, "Number of quotes for each row"),
  rounds: whole("rounds", 5, "Number of rounds, among which the quotes are divided"),
  warmUp: whole("warm-up", 200, "Number of quotes before the first round")
}

/** Measures the offers of one lender, alone and beside a lender that never answers. */
export const lenders = benchmark(
  "lenders",
  "Measures quotes at a lender, alone and beside a lender that never answers",
  flags,
  Effect.fnUntraced(function*({ quotes, rounds, warmUp }) {
    const postgres = yield* server
    const silent = yield* silentLender
    const desks = [
      yield* startDesk(postgres, "alone", {}),
      yield* startDesk(postgres, "beside a silent lender", { silent: silent.url })
    ]
    yield* Effect.forEach(desks, (one) => quote(one, warmUp))
    const taken = desks.map((desk) => ({ desk, runs: [] as Array<Effect.Success<ReturnType<typeof quote>>> }))
    for (let round = 0; round < rounds; round++) {
      for (const { desk, runs } of round % 2 === 0 ? taken : taken.toReversed()) {
        runs.push(yield* quote(desk, Math.ceil(quotes / rounds)))
      }
    }
    const results = taken.map(({ desk: { name }, runs }) => {
      const waits = ascending(runs.flatMap((run) => run.waits))
      const ratios = runs.map(({ took }, round) => took / (taken[0]?.runs[round]?.took ?? Number.NaN))
      return { name, p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), ratio: median(ratios) }
    })
    return {
      lines: [table(
        ["offers of the first lender", "p50 ms", "p99 ms", "time of all, × alone"],
        results.map(({ name, p50, p99, ratio }) => [name, shown(p50, 1), shown(p99, 1), shown(ratio, 2)])
      )],
      results: { results }
    }
  })
)
