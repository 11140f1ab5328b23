import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { database } from "../database.ts"
import { postmasterOf } from "../measure/postmasterOf.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { compareServers } from "./compareServers.ts"
import { measureIdle } from "./measureIdle.ts"
import { type Operation, operations } from "./operations.ts"
import { compare } from "./ratios.ts"
import { direct, setUp, type Size } from "./setUp.ts"
import { ratioTable, valueTable } from "./tables.ts"
import { takeTurns } from "./takeTurns.ts"

/** The size of the data, the loads, and the number and length of the runs. */
export interface ServerOptions extends Size {
  /** Names of operations, separated by commas; all if empty. */
  readonly operations: string
  /** Numbers of connections, separated by commas. */
  readonly connections: string
  readonly runs: number
  readonly seconds: number
  /** If true, the benchmark has only two runs of one second, with 16 connections. */
  readonly quick: boolean
}

const listOf = (text: string): ReadonlyArray<string> =>
  text.split(",").map((part) => part.trim()).filter((part) => part !== "")

/** Returns the operations with these names, which are separated by commas; all if there are none. */
export const selected = (names: string): Effect.Effect<ReadonlyArray<Operation>> => {
  const chosen = listOf(names)
  const unknown = chosen.find((name) => !operations.some((one) => one.name === name))
  return unknown === undefined
    ? Effect.succeed(chosen.length === 0 ? operations : operations.filter(({ name }) => chosen.includes(name)))
    : Effect.die(new Error(`There is no operation ${unknown}: ${operations.map(({ name }) => name).join(", ")}`))
}

/** Measures Lastro and a hand-written server on the same schema. Both give the same responses. */
export const server = Effect.fn("server")(
  function*(options: ServerOptions) {
    const sql = yield* SqlClient.SqlClient
    const { quick } = options
    const turns = {
      operations: yield* selected(options.operations),
      connections: quick ? [16] : listOf(options.connections).map(Number),
      runs: quick ? 2 : options.runs,
      seconds: quick ? 1 : options.seconds
    }
    const bench = yield* setUp(options, direct)
    const { callers, lastro, peer } = bench
    yield* Console.log(table(
      ["caller's scope", "users"],
      callers.map(({ scope, users }) => [scope, String(users)])
    ))
    const answers = yield* compareServers(bench, turns.operations)
    yield* Console.log(`${answers} answers of both servers are the same.`)
    const before = yield* machine
    const postmaster = yield* postmasterOf(sql)
    const idle = yield* measureIdle(bench, postmaster)
    yield* Console.log(
      `Idle, in processor ms per second: ${lastro.name} ${idle.lastro.toFixed(0)}, ${peer.name} ${
        idle.peer.toFixed(0)
      }, PostgreSQL ${idle.postgres.toFixed(0)}.`
    )
    const measured = yield* takeTurns(bench, turns, postmaster)
    const after = yield* machine
    const results = compare(turns.operations, turns.connections, measured, [lastro.name, peer.name])
    yield* Console.log(ratioTable(results))
    yield* Console.log(valueTable(results))
    yield* Effect.forEach(
      measured.filter(({ refused }) => refused > 0),
      ({ connections, operation, refused, server }) =>
        Console.log(`${server} returned 503 to ${refused} requests: ${operation}, ${connections}`)
    )
    const file = yield* writeResults("server", {
      bench: "server",
      options: { ...options, ...turns, operations: turns.operations.map(({ name }) => name) },
      machine: after,
      load: { before: before.load, after: after.load },
      callers: callers.map(({ scope, users }) => ({ scope, users })),
      answers,
      idle,
      results,
      measured
    })
    yield* Console.log(
      `${after.cpu}, ${after.cores} cores, ${after.memoryGiB} GiB; Node ${after.node}, PostgreSQL ${after.postgres}; ` +
        `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
    )
  },
  Effect.scoped,
  Effect.provide(database)
)
