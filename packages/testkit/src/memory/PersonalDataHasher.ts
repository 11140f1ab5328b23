import { PersonalDataHasher } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { digest } from "./digest.ts"

/** Hashes of 64 bits without a key. Not secure: for tests only. */
export const layer = Layer.succeed(
  PersonalDataHasher,
  PersonalDataHasher.of({ hash: (text) => Effect.sync(() => `not-secure-${digest(text)}`) })
)
