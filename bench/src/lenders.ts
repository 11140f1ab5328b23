import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { idOf } from "../../apps/server/test/running/desk.ts"
import { startLocalServer } from "../../packages/testkit/src/lender/localServer.ts"
import { benchmark, shown, table, whole } from "./harness/benchmark.ts"
import { connect, freshDatabase, server } from "./harness/database.ts"
import { nextCpf, startNode } from "./harness/nodes.ts"
import { paced } from "./harness/rounds.ts"
import { percentilesOf } from "./harness/statistics.ts"

/** Starts a lender that accepts every request and never answers. */
const silentLender = Effect.acquireRelease(
  Effect.promise(() => startLocalServer(() => {})),
  ({ close }) => Effect.promise(close)
)

/** Starts a server on a new database, with the given lenders and one that answers after a delay. */
const startDesk = Effect.fnUntraced(
  function*(postgres: string, answerMs: number, name: string, others: Readonly<Record<string, string>>) {
    const url = yield* freshDatabase(postgres)
    const good = yield* recordingLenderServer({ answerMs })
    const lenders = Object.entries({ good: good.url, ...others })
    const { desk } = yield* startNode(url, {
      LASTRO_LENDER: "",
      LASTRO_LENDERS: lenders.map(([code]) => `${code}=http`).join(","),
      ...Object.fromEntries(lenders.map(([code, lenderUrl]) => [`LASTRO_LENDER_${code.toUpperCase()}_URL`, lenderUrl]))
    })
    return { name, desk, sql: yield* connect(url) }
  }
)

type QuotingDesk = Effect.Success<ReturnType<typeof startDesk>>

/**
 * Opens one application every `every` milliseconds, and waits until all of them have offers of the first lender.
 * Returns the milliseconds until these offers for each application, by the server's clock.
 */
const quote = Effect.fnUntraced(function*({ desk, sql }: QuotingDesk, applications: number, every: number) {
  const ids = yield* paced(applications, every, () => Effect.map(desk.open(nextCpf()), idOf))
  const answered = sql<{ readonly wait: number }>`
    select extract(epoch from (part ->> 'completed_at')::timestamptz - created_at)::float8 * 1000 as wait
    from application join quote on quote.application_id = application.id
    cross join json_array_elements(facts -> 'parts') part
    where part -> 'lender' ->> 'code' = 'good' and part ->> 'outcome' = 'COMPLETED'
      and ${sql.in("application.id", ids)}`
  let quotes = yield* answered
  while (quotes.length < applications) {
    yield* Effect.sleep("100 millis")
    quotes = yield* answered
  }
  return quotes.map(({ wait }) => wait)
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
      Effect.forEach(
        desks,
        (desk) => Effect.map(quote(desk, count, every), (waits) => ({ name: desk.name, ...percentilesOf(waits) })),
        { concurrency: desks.length }
      )
    yield* quoteAll(warmUp)
    const results = yield* quoteAll(quotes)
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
