import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { audit } from "./audit.ts"
import { burst } from "./burst.ts"
import { capacity } from "./capacity.ts"
import { commissions } from "./commissions.ts"
import { events } from "./events.ts"
import { lenders } from "./lenders.ts"
import { lists } from "./lists.ts"
import { origination } from "./origination.ts"
import { payments } from "./payments.ts"
import { server } from "./server/server.ts"
import { soak } from "./soak.ts"
import { start } from "./start/start.ts"

const benchmarks = [
  lists,
  server,
  origination,
  burst,
  start,
  capacity,
  events,
  commissions,
  payments,
  lenders,
  audit
] as const

/** Runs all benchmarks with their defaults. */
const all: Effect.Effect<void, never, NodeServices.NodeServices> = Effect.orDie(
  Effect.suspend(() =>
    Effect.forEach(benchmarks, ({ name }) => Command.runWith(bench, { version: "0.1.0" })([name]), { discard: true })
  )
)

const bench = Command.make("bench", {}, () => all).pipe(
  Command.withDescription("Runs all benchmarks but soak, which takes an hour"),
  Command.withSubcommands([...benchmarks, soak])
)

NodeRuntime.runMain(Effect.provide(Command.run(bench, { version: "0.1.0" }), NodeServices.layer))
