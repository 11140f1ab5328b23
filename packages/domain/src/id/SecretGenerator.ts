import { Context, type Effect, type Redacted } from "effect"

/** Generates secrets: temporary passwords, client secrets, refresh tokens. */
export class SecretGenerator extends Context.Service<SecretGenerator, {
  /**
   * Returns at least 192 random bits as text. Its characters are `[A-Za-z0-9_-]`, which every client library encodes in
   * the same way.
   */
  readonly next: Effect.Effect<Redacted.Redacted>
}>()("@lastro/domain/id/SecretGenerator") {}
