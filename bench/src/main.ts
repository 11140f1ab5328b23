import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { core } from "./core/core.ts"
import { counts } from "./counts/counts.ts"
import { growth } from "./lists/growth.ts"
import { lists } from "./lists/lists.ts"
import { moves } from "./moves/moves.ts"
import { origination } from "./origination/origination.ts"
import { server } from "./server/server.ts"
import { start } from "./start/start.ts"

const whole = (name: string, value: number, description: string) =>
  Flag.Int(name).pipe(Flag.withDefault(value), Flag.withDescription(description))

const size = {
  partners: whole("partners", 10_000, "How many partners there are"),
  users: whole("users", 100_000, "How many users there are"),
  seed: whole("seed", 1, "What the made-up data is drawn from"),
  rounds: whole("rounds", 40, "How many rounds are run")
}

const listsSize = {
  ...size,
  applications: whole("applications", 20_000, "How many applications there are"),
  database: Flag.String("database").pipe(
    Flag.withDefault(""),
    Flag.withDescription("The URL of a database that is seeded already, used instead of a fresh one")
  )
}

const serverSize = {
  partners: size.partners,
  users: size.users,
  seed: size.seed,
  runs: whole("runs", 7, "How often each server is put under each load"),
  seconds: whole("seconds", 5, "How long a run takes")
}

const coreSize = {
  partners: whole("partners", 100_000, "How many partners the hierarchy has"),
  seed: size.seed,
  rounds: size.rounds
}

const startSize = {
  rounds: whole("rounds", 7, "How often everything is started"),
  perSecond: whole("per-second", 200, "Requests a second of the load"),
  seconds: whole("seconds", 10, "How long the load lasts")
}

const originationSize = {
  applications: whole("applications", 300, "How many applications are opened in a run"),
  rounds: whole("rounds", 5, "How many rounds are run")
}

const countsSize = {
  partners: whole("partners", 1_000, "How many partners there are"),
  users: whole("users", 10_000, "How many users there are at first"),
  seed: size.seed,
  writers: whole("writers", 64, "How many users are inserted at once"),
  inserts: whole("inserts", 5_000, "How many users are inserted in a run"),
  rounds: whole("rounds", 9, "How many rounds are run")
}

const movesSize = {
  partners: whole("partners", 100_000, "How many partners there are"),
  users: whole("users", 1_000_000, "How many users there are"),
  seed: size.seed,
  subtree: whole("subtree", 10_000, "How many partners are moved, about"),
  readers: whole("readers", 4, "How many others read meanwhile"),
  rounds: whole("rounds", 40, "How many rounds are run")
}

/** A bench that cannot go on has failed: there is nobody to recover. */
const ended = <Options, E, R>(run: (options: Options) => Effect.Effect<void, E, R>) => (options: Options) =>
  Effect.orDie(run(options))

const benches = [
  Command.make("lists", listsSize, ended(lists)).pipe(
    Command.withDescription("Pages of users, partners and proposals against a read by primary key")
  ),
  Command.make("growth", { seed: size.seed, rounds: size.rounds }, ended(growth)).pipe(
    Command.withDescription("How the first page of users grows from 10 000 to 1 000 000 users")
  ),
  Command.make("server", serverSize, ended(server)).pipe(
    Command.withDescription("A page of users over HTTP, against the same on Fastify, pg and jose")
  ),
  Command.make("origination", originationSize, ended(origination)).pipe(
    Command.withDescription("Applications until they are quoted, on one node and on two")
  ),
  Command.make("counts", countsSize, ended(counts)).pipe(
    Command.withDescription("Users inserted by many at once, counted and not counted")
  ),
  Command.make("moves", movesSize, ended(moves)).pipe(
    Command.withDescription("Moves of a large subtree, and what they do to others' reads")
  ),
  Command.make("start", startSize, ended(start)).pipe(
    Command.withDescription("From being started to being ready, and the memory used then")
  ),
  Command.make("core", coreSize, ended(core)).pipe(
    Command.withDescription("Rules as plain functions, on one core, against the same written by hand")
  )
]

const version = "0.1.0"

/** Every bench, one after the other, each as it is by default. */
const all: Effect.Effect<void, never, NodeServices.NodeServices> = Effect.orDie(
  Effect.suspend(() =>
    Effect.forEach(benches, ({ name }) => Command.runWith(bench, { version })([name]), { discard: true })
  )
)

const bench = Command.make("bench", {}, () => all).pipe(
  Command.withDescription("Runs every measurement"),
  Command.withSubcommands(benches)
)

NodeRuntime.runMain(Effect.provide(Command.run(bench, { version }), NodeServices.layer))
