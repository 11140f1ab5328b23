import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { audit } from "./audit/audit.ts"
import { core } from "./core/core.ts"
import { counts } from "./counts/counts.ts"
import { funnel } from "./funnel/funnel.ts"
import { http } from "./http/http.ts"
import { growth } from "./lists/growth.ts"
import { lists } from "./lists/lists.ts"
import { moves } from "./moves/moves.ts"
import { origination } from "./origination/origination.ts"
import { burst } from "./overload/burst.ts"
import { overload } from "./overload/overload.ts"
import { profile } from "./profile/profile.ts"
import { server } from "./server/server.ts"
import { start } from "./start/start.ts"
import { throttle } from "./throttle/throttle.ts"
import { roundTrips } from "./trips/roundTrips.ts"

const whole = (name: string, value: number, description: string) =>
  Flag.Int(name).pipe(Flag.withDefault(value), Flag.withDescription(description))

const size = {
  partners: whole("partners", 10_000, "Number of partners"),
  users: whole("users", 100_000, "Number of users"),
  seed: whole("seed", 1, "Seed of the generated data"),
  rounds: whole("rounds", 40, "Number of rounds")
}

const listsSize = {
  ...size,
  applications: whole("applications", 20_000, "Number of applications"),
  database: Flag.String("database").pipe(
    Flag.withDefault(""),
    Flag.withDescription("URL of a seeded database. Default: a fresh database")
  )
}

const serverSize = {
  partners: size.partners,
  users: size.users,
  applications: whole("applications", 5_000, "Number of applications"),
  seed: size.seed,
  operations: Flag.String("operations").pipe(
    Flag.withDefault(""),
    Flag.withDescription("Names of operations, separated by commas. Default: all")
  ),
  connections: Flag.String("connections").pipe(
    Flag.withDefault("1,16,64"),
    Flag.withDescription("Numbers of connections, separated by commas")
  ),
  runs: whole("runs", 4, "Number of runs of each server under each load"),
  seconds: whole("seconds", 2, "Seconds per run"),
  quick: Flag.Boolean("quick").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Two runs of one second with 16 connections")
  )
}

const profileSize = {
  partners: size.partners,
  users: size.users,
  applications: serverSize.applications,
  seed: size.seed,
  operations: serverSize.operations,
  rounds: whole("rounds", 3, "Number of rounds"),
  seconds: whole("seconds", 4, "Seconds per run")
}

const tripsSize = {
  partners: whole("partners", 300, "Number of partners"),
  users: whole("users", 3_000, "Number of users"),
  applications: whole("applications", 600, "Number of applications"),
  seed: size.seed,
  requests: whole("requests", 20, "Number of requests of each operation")
}

const overloadSize = {
  partners: size.partners,
  users: size.users,
  seed: size.seed,
  seconds: whole("seconds", 10, "Seconds per run"),
  times: whole("times", 10, "Multiple of the load that the server sustains"),
  connections: whole("connections", 2_000, "Maximum number of requests in progress under overload")
}

const burstSize = { ...overloadSize, rounds: whole("rounds", 3, "Number of rounds") }

const httpSize = {
  runs: whole("runs", 7, "Number of runs of each server for each operation"),
  seconds: whole("seconds", 3, "Seconds per run")
}

const coreSize = {
  partners: whole("partners", 100_000, "Number of partners"),
  seed: size.seed,
  rounds: size.rounds
}

const startSize = {
  rounds: whole("rounds", 7, "Number of starts of each program"),
  perSecond: whole("per-second", 200, "Requests per second under load"),
  seconds: whole("seconds", 10, "Seconds of load")
}

const originationSize = {
  applications: whole("applications", 300, "Applications per run"),
  rounds: whole("rounds", 5, "Number of rounds")
}

const throttleSize = {
  quotes: whole("quotes", 200, "Number of quotes"),
  perSecond: Flag.Finite("per-second").pipe(
    Flag.withDefault(1),
    Flag.withDescription("Calls per second that the lender answers")
  )
}

const countsSize = {
  partners: whole("partners", 1_000, "Number of partners"),
  users: whole("users", 10_000, "Initial number of users"),
  seed: size.seed,
  writers: whole("writers", 64, "Number of concurrent writers"),
  inserts: whole("inserts", 5_000, "Users inserted per run"),
  rounds: whole("rounds", 9, "Number of rounds")
}

const movesSize = {
  partners: whole("partners", 100_000, "Number of partners"),
  users: whole("users", 1_000_000, "Number of users"),
  seed: size.seed,
  subtree: whole("subtree", 10_000, "Approximate number of partners in the moved subtree"),
  readers: whole("readers", 4, "Number of concurrent readers"),
  rounds: whole("rounds", 40, "Number of rounds")
}

/** Treats every failure of a benchmark as a defect. */
const dieOnFailure = <Options, E, R>(run: (options: Options) => Effect.Effect<void, E, R>) => (options: Options) =>
  Effect.orDie(run(options))

const benches = [
  Command.make("lists", listsSize, dieOnFailure(lists)).pipe(
    Command.withDescription("Measures pages of users, partners and proposals, compared with a read by primary key")
  ),
  Command.make(
    "funnel",
    { ...listsSize, copies: whole("copies", 0, "Number of copies of each application") },
    dieOnFailure(funnel)
  ).pipe(
    Command.withDescription(
      "Measures the first page of applications for every status, compared with a read by primary key"
    )
  ),
  Command.make(
    "audit",
    { ...listsSize, entries: whole("entries", 1_000_000, "Number of audit entries") },
    dieOnFailure(audit)
  ).pipe(
    Command.withDescription("Measures lists of the audit by every filter, compared with a read by primary key")
  ),
  Command.make("growth", { seed: size.seed, rounds: size.rounds }, dieOnFailure(growth)).pipe(
    Command.withDescription("Measures the first page of users in databases with 10 000 to 1 000 000 users")
  ),
  Command.make("server", serverSize, dieOnFailure(server)).pipe(
    Command.withDescription("Measures the API over HTTP, compared with a hand-written server with Fastify and pg")
  ),
  Command.make("profile", profileSize, dieOnFailure(profile)).pipe(
    Command.withDescription("Shows on which parts Lastro and the hand-written server spend their processor time")
  ),
  Command.make("http", httpSize, dieOnFailure(http)).pipe(
    Command.withDescription(
      "Measures the processor time of the HTTP pipeline, compared with a bare server of node:http"
    )
  ),
  Command.make("round-trips", tripsSize, dieOnFailure(roundTrips)).pipe(
    Command.withDescription("Counts the round trips to the database of each operation")
  ),
  Command.make("overload", overloadSize, dieOnFailure(overload)).pipe(
    Command.withDescription("Measures a page of users and health checks under a multiple of the sustained load")
  ),
  Command.make("burst", burstSize, dieOnFailure(burst)).pipe(
    Command.withDescription("Measures bursts of new connections under overload, with the load generator hey")
  ),
  Command.make("origination", originationSize, dieOnFailure(origination)).pipe(
    Command.withDescription("Measures applications from opening to quote, on one node and on two")
  ),
  Command.make("throttle", throttleSize, dieOnFailure(throttle)).pipe(
    Command.withDescription("Measures quotes of a lender that answers few calls a second, on two nodes")
  ),
  Command.make("counts", countsSize, dieOnFailure(counts)).pipe(
    Command.withDescription("Measures concurrent inserts of users, with and without counts")
  ),
  Command.make("moves", movesSize, dieOnFailure(moves)).pipe(
    Command.withDescription("Measures moves of a large subtree, and concurrent reads")
  ),
  Command.make("start", startSize, dieOnFailure(start)).pipe(
    Command.withDescription("Measures the time from start to readiness, and memory, compared with Fastify and pg")
  ),
  Command.make("core", coreSize, dieOnFailure(core)).pipe(
    Command.withDescription("Measures pure rules on one core")
  )
]

const version = "0.1.0"

/** Runs all benchmarks with their defaults. */
const all: Effect.Effect<void, never, NodeServices.NodeServices> = Effect.orDie(
  Effect.suspend(() =>
    Effect.forEach(benches, ({ name }) => Command.runWith(bench, { version })([name]), { discard: true })
  )
)

const bench = Command.make("bench", {}, () => all).pipe(
  Command.withDescription("Runs all benchmarks"),
  Command.withSubcommands(benches)
)

NodeRuntime.runMain(Effect.provide(Command.run(bench, { version }), NodeServices.layer))
