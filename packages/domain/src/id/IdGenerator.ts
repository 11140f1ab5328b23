import { Context, type Effect } from "effect"

/** Makes the ids of new records. */
export class IdGenerator extends Context.Service<IdGenerator, {
  /** A UUID (version 7: later ones sort after earlier ones), never returned before. */
  readonly next: Effect.Effect<string>
}>()("@lastro/domain/id/IdGenerator") {}
