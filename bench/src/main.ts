import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { lists } from "./lists/lists.ts"
import { pricing } from "./pricing/pricing.ts"

const whole = (name: string, value: number, description: string) =>
  Flag.Int(name).pipe(Flag.withDefault(value), Flag.withDescription(description))

const size = {
  partners: whole("partners", 10_000, "How many partners there are"),
  users: whole("users", 100_000, "How many users there are"),
  seed: whole("seed", 1, "What the made-up data is drawn from"),
  rounds: whole("rounds", 40, "How many rounds are run")
}

const pricingSize = {
  offers: whole("offers", 2_000, "How many offers are priced in a run"),
  seed: size.seed,
  rounds: size.rounds
}

const bench = Command.make("bench", { ...size, ...pricingSize }, (all) => Effect.andThen(pricing(all), lists(all)))
  .pipe(
    Command.withDescription("Runs every measurement"),
    Command.withSubcommands([
      Command.make("lists", size, lists).pipe(
        Command.withDescription("Pages of users and partners against a read by primary key")
      ),
      Command.make("pricing", pricingSize, pricing).pipe(
        Command.withDescription("Offers of three instalments, on one core, against the same written by hand")
      )
    ])
  )

NodeRuntime.runMain(Effect.provide(Command.run(bench, { version: "0.1.0" }), NodeServices.layer))
