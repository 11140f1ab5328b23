import { Context, type Effect, type Redacted } from "effect"

/** Generates the ids of new records. */
export class IdGenerator extends Context.Service<IdGenerator, {
  /** Returns a new UUID, version 7 (RFC 9562): later ids sort after earlier ones. */
  readonly next: Effect.Effect<string>
}>()("@lastro/domain/ports/generators/IdGenerator") {}

/** Generates secrets: temporary passwords, client secrets, refresh tokens. */
export class SecretGenerator extends Context.Service<SecretGenerator, {
  /**
   * Returns at least 192 random bits as text. Its characters are `[A-Za-z0-9_-]`, which every client library encodes in
   * the same way.
   */
  readonly next: Effect.Effect<Redacted.Redacted>
}>()("@lastro/domain/ports/generators/SecretGenerator") {}
