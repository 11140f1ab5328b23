import { Console, Effect } from "effect"
import { database } from "../database.ts"
import { kernelTime, metered, processorTime } from "../measure/processorTime.ts"
import { median } from "../measure/quantile.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { type Operation } from "../server/operations.ts"
import { selected } from "../server/server.ts"
import { direct, setUp, type Size } from "../server/setUp.ts"
import { shoot } from "../server/shoot.ts"
import { freePort, type Served } from "../server/startServer.ts"
import { warmUpSeconds } from "../server/takeTurns.ts"
import { type Part, parts } from "./parts.ts"
import { sample } from "./sample.ts"

/** The size of the data, the operations, and the number and length of the runs. */
export interface ProfileOptions extends Size {
  /** Names of operations, separated by commas; all if empty. */
  readonly operations: string
  readonly rounds: number
  readonly seconds: number
}

/** A server and the port of its inspector. */
interface Profiled {
  readonly served: Served
  readonly port: number
}

/** Number of connections of the load. */
const connections = 16

const inspected = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })

/** Microseconds of processor time per request: all of it, and that of each part. */
interface Spent {
  readonly all: number
  readonly of: (part: Part) => number
}

const medians = (rounds: ReadonlyArray<Spent>): Spent => ({
  all: median(rounds.map(({ all }) => all)),
  of: (part) => median(rounds.map(({ of }) => of(part)))
})

const tableOf = (operation: Operation, servers: ReadonlyArray<readonly [string, Spent]>): string => {
  const row = (name: string, valueOf: (spent: Spent) => number) => [
    name,
    ...servers.map(([, spent]) => valueOf(spent).toFixed(0))
  ]
  return table(
    [`${operation.name}, µs of node per request`, ...servers.map(([name]) => name)],
    [
      ...parts.map((part) => row(part, ({ of }) => of(part))).filter(([, ...values]) =>
        values.some((value) => value !== "0")
      ),
      row("all", ({ all }) => all)
    ]
  )
}

/**
 * Shows how Lastro and the hand-written server spend the processor time of a request over HTTP. Each round has two
 * runs. The first, without a profiler, measures the total processor time and that of the kernel. The second, with a
 * profiler, measures how the time outside the kernel is divided between the other parts. Both servers run from their
 * source files, so that the profile contains the file of each function.
 */
export const profile = Effect.fn("profile")(
  function*({ operations: names, rounds, seconds, ...size }: ProfileOptions) {
    const operations = yield* selected(names)
    const ports = { lastro: yield* freePort, peer: yield* freePort }
    const { callers, lastro, peer } = yield* setUp(size, direct, {
      // With this variable, Lastro does not bundle itself into one file.
      lastro: { ...inspected(ports.lastro), WATCH_REPORT_DEPENDENCIES: "1" },
      peer: inspected(ports.peer)
    })
    const servers: ReadonlyArray<Profiled> = [
      { served: lastro, port: ports.lastro },
      { served: peer, port: ports.peer }
    ]
    let run = 0
    const load = ({ served }: Profiled, operation: Operation, seconds: number) =>
      shoot(served, { url: served.url, connections, seconds, lanes: operation.lanes(callers, run++) }, undefined)
    const measure = Effect.fnUntraced(function*(server: Profiled, operation: Operation) {
      const { pid } = server.served
      const kernelUsed = metered(() => kernelTime(pid))
      const used = metered(() => processorTime(pid))
      const { serverCpu = Number.NaN } = yield* load(server, operation, seconds)
      const kernel = (kernelUsed() ?? Number.NaN) / (used() ?? Number.NaN)
      const shares = yield* sample(server.port, load(server, operation, seconds))
      const all = serverCpu * 1000
      return {
        all,
        of: (part: Part) => all * (part === "the kernel" ? kernel : (1 - kernel) * (shares.get(part) ?? 0))
      }
    })
    const before = yield* machine
    const results: Array<object> = []
    for (const operation of operations) {
      for (const server of servers) yield* load(server, operation, warmUpSeconds)
      const measured = servers.map((): Array<Spent> => [])
      for (let round = 0; round < rounds; round++) {
        for (const [index, server] of servers.entries()) measured[index]?.push(yield* measure(server, operation))
      }
      const spent = servers.map(({ served: { name } }, index) => [name, medians(measured[index] ?? [])] as const)
      yield* Console.log(tableOf(operation, spent))
      results.push(...spent.map(([server, { all, of }]) => ({
        operation: operation.name,
        server,
        all,
        parts: Object.fromEntries(parts.map((part) => [part, of(part)]))
      })))
    }
    const after = yield* machine
    yield* Console.log(
      yield* writeResults("profile", {
        bench: "profile",
        options: { ...size, operations: operations.map(({ name }) => name), rounds, seconds, connections },
        machine: after,
        load: { before: before.load, after: after.load },
        results
      })
    )
  },
  Effect.scoped,
  Effect.provide(database)
)
