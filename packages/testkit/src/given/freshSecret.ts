import { Effect, Random, Redacted } from "effect"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** 32 random characters of base64url. */
export const freshSecret: Effect.Effect<Redacted.Redacted> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, alphabet.length - 1), 32),
  (places) => Redacted.make(places.map((place) => alphabet.charAt(place)).join(""))
)
