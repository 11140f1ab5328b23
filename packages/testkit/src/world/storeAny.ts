import { Effect } from "effect"
import { CallerBuilder } from "../given/aCaller.ts"
import { ClientBuilder } from "../given/aClient.ts"
import { ApplicationBuilder } from "../given/anApplication.ts"
import { PartnerBuilder } from "../given/aPartner.ts"
import { UserBuilder } from "../given/aUser.ts"
import { type Builder } from "../given/Builder.ts"
import { callerFor } from "./callers.ts"
import { storeApplication, storeClient, storePartner, storeUser } from "./store.ts"

/** Stores what a builder describes, as far as that is stored anywhere, and gives it. */
export const storeAny = Effect.fnUntraced(function*(builder: Builder<unknown>) {
  if (builder instanceof PartnerBuilder) return yield* storePartner(builder)
  if (builder instanceof UserBuilder) return yield* storeUser(builder)
  if (builder instanceof ClientBuilder) return yield* storeClient(builder)
  if (builder instanceof ApplicationBuilder) return yield* storeApplication(builder)
  return builder instanceof CallerBuilder ? yield* callerFor(builder) : yield* builder
})
