import { bootstrap, UnitOfWork } from "@lastro/domain"
import { Effect, Option } from "effect"
import { refusedAs } from "./commands/refused.ts"
import { insertDemonstration, openDemonstrationApplications } from "./demonstration.ts"
import { type Settings } from "./settings/Settings.ts"

/** Fills an empty database, with the demonstration where that is wanted: all of it or nothing. */
export const fillEmpty = Effect.fn("fillEmpty")(function*({ bootstrap: choices, demo, lender }: Settings) {
  const fill = Effect.gen(function*() {
    const made = yield* bootstrap(choices)
    if (demo && Option.isSome(made)) {
      const shop = yield* insertDemonstration(made.value.root_id)
      // Nobody who exists is asked for people who do not.
      if (lender.kind === "sandbox") yield* openDemonstrationApplications(shop)
    }
    return made
  })
  return yield* refusedAs({
    ClientSecretMalformed: "LASTRO_BOOTSTRAP_CLIENT_SECRET has to be 16 to 128 visible ASCII characters, ! to ~."
  })((yield* UnitOfWork).atomically(fill))
})
