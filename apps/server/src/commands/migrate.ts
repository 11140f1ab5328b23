import { migrate as migrateDatabase } from "@lastro/adapters-sql"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { withDatabase } from "./withPorts.ts"

/** Brings the database's schema up to date. */
export const migrate = Command.make("migrate", {}, () =>
  Effect.gen(function*() {
    for (const [id, name] of yield* migrateDatabase) yield* Console.log(`applied ${id} ${name}`)
    yield* Console.log("The schema is up to date.")
  }).pipe(withDatabase)).pipe(
    Command.withDescription("Brings the database's schema up to date and prints what it applied")
  )
