import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type CountingProxy, countingProxy } from "../../../test/countingProxy.ts"
import { type Sent } from "../../../test/WireCounter.ts"
import { database } from "../database.ts"
import { median } from "../measure/quantile.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { type Ask, headersOf } from "../server/Ask.ts"
import { operations } from "../server/operations.ts"
import { setUp, type Size } from "../server/setUp.ts"
import { type Served } from "../server/startServer.ts"
import { createPartner, createUser, openApplication } from "./changes.ts"

/** Size of the data, and number of requests of each operation. */
export interface TripOptions extends Size {
  readonly requests: number
}

/** Maximum number of round trips to the database, by operation. */
const targets: Readonly<Record<string, number>> = {
  "patch-partner": 4,
  "create-partner": 4,
  "delete-partner": 4,
  "create-user": 6,
  "open-application": 5,
  "until its quote": 6
}

const send = ({ url }: Served, ask: Ask): Effect.Effect<string> =>
  Effect.promise(async () => {
    const answer = await fetch(url + ask.path, {
      method: ask.method ?? "GET",
      headers: headersOf(ask),
      ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${ask.method ?? "GET"} ${ask.path}: ${answer.status} ${text}`)
    return answer.headers.get("location") ?? ""
  })

/** Returns true for a connection of the API. Durable jobs have connections of their own. */
const isApi = (application: string): boolean => !application.endsWith(" jobs")
const isAny = (): boolean => true

const counted = <A>(proxy: CountingProxy, isCounted: (application: string) => boolean, run: Effect.Effect<A>) =>
  Effect.gen(function*() {
    const before = proxy.count(isCounted)
    const value = yield* run
    const after = proxy.count(isCounted)
    const sent: Sent = { trips: after.trips - before.trips, statements: after.statements - before.statements }
    return { value, sent }
  })

interface Row {
  readonly operation: string
  readonly server: string
  readonly trips: number
  readonly mostTrips: number
  readonly statements: number
}

const rowOf = (server: string, operation: string, all: ReadonlyArray<Sent>): Row => ({
  server,
  operation,
  trips: median(all.map(({ trips }) => trips)),
  mostTrips: Math.max(...all.map(({ trips }) => trips)),
  statements: median(all.map(({ statements }) => statements))
})

/** Number of requests before counting starts, so that every connection has its prepared statements. */
const warmUp = 20

/** Counts the round trips of each request of an operation, one request at a time. */
const countRequests = Effect.fn("countRequests")(function*(
  proxy: CountingProxy,
  served: Served,
  operation: string,
  asks: ReadonlyArray<Ask>
) {
  const all: Array<Sent> = []
  for (const ask of asks) all.push((yield* counted(proxy, isApi, send(served, ask))).sent)
  return rowOf(served.name, operation, all.slice(Math.min(warmUp, asks.length - 1)))
})

/** Counts the round trips of Lastro's other operations, which the hand-written server does not serve. */
const countChanges = Effect.fn("countChanges")(function*(
  proxy: CountingProxy,
  lastro: Served,
  token: string,
  requests: number
) {
  const sql = yield* SqlClient.SqlClient
  const numbers = Array.from({ length: requests + warmUp }, (_, index) => index)
  const created: Array<Sent> = []
  const deleted: Array<Sent> = []
  const opened: Array<Sent> = []
  const quoted: Array<Sent> = []
  const pending = Effect.map(
    sql<{ readonly busy: boolean }>`
      select exists (select from application where unfinished) or exists (select from job where owner is not null) as busy`,
    ([row]) => row?.busy ?? false
  )
  for (const number of numbers) {
    const { sent, value } = yield* counted(proxy, isApi, send(lastro, createPartner(token, number)))
    created.push(sent)
    deleted.push((yield* counted(proxy, isApi, send(lastro, { method: "DELETE", path: value, token }))).sent)
  }
  const users = yield* countRequests(proxy, lastro, "create-user", numbers.map((number) => createUser(token, number)))
  for (const number of numbers) {
    const whole = yield* counted(
      proxy,
      isAny,
      Effect.gen(function*() {
        opened.push((yield* counted(proxy, isApi, send(lastro, openApplication(token, number)))).sent)
        while (yield* Effect.orDie(pending)) yield* Effect.sleep("2 millis")
      })
    )
    const [open] = opened.slice(-1)
    quoted.push({
      trips: whole.sent.trips - (open?.trips ?? 0),
      statements: whole.sent.statements - (open?.statements ?? 0)
    })
  }
  const row = (operation: string, all: ReadonlyArray<Sent>) => rowOf(lastro.name, operation, all.slice(warmUp))
  return [
    row("create-partner", created),
    row("delete-partner", deleted),
    users,
    row("open-application", opened),
    row("until its quote", quoted)
  ]
})

/** Counts the round trips to the database of each operation, with one request at a time. */
export const roundTrips = Effect.fn("roundTrips")(
  function*(options: TripOptions) {
    const proxies: Array<CountingProxy> = []
    const open = (url: string) => Effect.tap(countingProxy(url), (proxy) => Effect.sync(() => proxies.push(proxy)))
    const { callers, lastro, peer } = yield* setUp(
      options,
      (url) =>
        Effect.map(Effect.all([open(url), open(url)]), ([ours, theirs]) => ({ lastro: ours.url, peer: theirs.url }))
    )
    const [ourProxy, theirProxy] = proxies
    if (ourProxy === undefined || theirProxy === undefined) return yield* Effect.die(new Error("A proxy is missing"))
    const rows: Array<Row> = []
    for (const { lanes, name } of operations) {
      const asks = lanes(callers, 0).flat()
      const some = Array.from(
        { length: options.requests + warmUp },
        (_, index) => asks[index % asks.length] ?? { path: "/" }
      )
      rows.push(yield* countRequests(ourProxy, lastro, name, some))
      rows.push(yield* countRequests(theirProxy, peer, name, some.toReversed()))
    }
    const token = callers[0]?.token ?? ""
    rows.push(...yield* countChanges(ourProxy, lastro, token, options.requests))
    yield* Console.log(table(
      ["operation", "server", "round trips", "most", "statements", "target", "met"],
      rows.map(({ mostTrips, operation, server, statements, trips }) => {
        const target = operation === "live" ? 0 : targets[operation] ?? 1
        const met = server === lastro.name ? trips <= target ? "yes" : "no" : ""
        return [operation, server, String(trips), String(mostTrips), String(statements), String(target), met]
      })
    ))
    yield* Console.log(yield* writeResults("round-trips", { bench: "round-trips", options, rows }))
  },
  Effect.scoped,
  Effect.provide(database)
)
