import { Context, type Effect, type Redacted } from "effect"

/** Makes secrets nobody can guess: temporary passwords, client secrets, refresh tokens. */
export class SecretGenerator extends Context.Service<SecretGenerator, {
  /** At least 192 bits of randomness as text of `[A-Za-z0-9_-]` only, so that every client library encodes it alike. */
  readonly next: Effect.Effect<Redacted.Redacted>
}>()("@lastro/domain/id/SecretGenerator") {}
