import { Context, type Effect } from "effect"

/** Generates the ids of new records. */
export class IdGenerator extends Context.Service<IdGenerator, {
  /** Returns a new UUID, version 7 (RFC 9562): later ids sort after earlier ones. */
  readonly next: Effect.Effect<string>
}>()("@lastro/domain/id/IdGenerator") {}
