import { Effect } from "effect"
import { CallerBuilder } from "../given/aCaller.ts"
import { ClientBuilder } from "../given/aClient.ts"
import { ApplicationBuilder } from "../given/anApplication.ts"
import { PartnerBuilder } from "../given/aPartner.ts"
import { UserBuilder } from "../given/aUser.ts"
import { Builder } from "../given/Builder.ts"
import { TestMistake } from "../given/TestMistake.ts"
import { type Acquaintances } from "./Acquaintances.ts"
import { callerFor } from "./callers.ts"
import { storeApplication, storeClient, storePartner, storeUser } from "./store.ts"

/** Stores what a builder describes, as far as that is stored anywhere, and gives it; `among` gets to know whom it described. */
export const storeAny = Effect.fnUntraced(function*(builder: Builder<unknown>, among: Acquaintances) {
  if (builder instanceof PartnerBuilder) return yield* storePartner(builder)
  if (builder instanceof ApplicationBuilder) return yield* storeApplication(builder)
  if (builder instanceof CallerBuilder) return yield* callerFor(builder, among)
  if (builder instanceof UserBuilder) {
    const user = yield* storeUser(builder)
    among.met(builder, { kind: "user", subject: user.user_id })
    return user
  }
  if (builder instanceof ClientBuilder) {
    const client = yield* storeClient(builder)
    among.met(builder, { kind: "client", subject: client.client_id })
    return client
  }
  // Not every test is type-checked.
  if (!(builder instanceof Builder)) {
    return yield* Effect.fail(new TestMistake("given takes a builder, aPartner() say, and gives the record"))
  }
  return yield* builder
})
