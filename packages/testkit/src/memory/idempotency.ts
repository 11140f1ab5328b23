import { type IdempotencySlot, IdempotencyStore } from "@lastro/domain/idempotency"
import { Effect, Layer, Option } from "effect"
import { digest } from "./hashers.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { put } from "./MemoryState.ts"

const keyOf = ({ key, subject }: IdempotencySlot): string => digest(JSON.stringify([subject, key]))

/**
 * In-memory `IdempotencyStore`. Responses are not encrypted. Units of work run one at a time, so no other unit can have claimed a slot, and
 * a claim always succeeds.
 */
export const layerIdempotencyStore = Layer.effect(
  IdempotencyStore,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    IdempotencyStore.of({
      claim: () => Effect.succeed(true),
      find: (slot, since) =>
        Effect.map(
          state,
          ({ answers }) =>
            Option.filter(Option.fromUndefinedOr(answers.get(keyOf(slot))), ({ stored_at }) => stored_at >= since)
        ),
      save: (slot, answer) => update((now) => put(now, "answers", keyOf(slot), answer))
    }))
)
