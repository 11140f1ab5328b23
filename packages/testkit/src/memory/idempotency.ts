import { type IdempotencySlot, IdempotencyStore, type StoredAnswer } from "@lastro/domain/idempotency"
import { Context, Effect, Layer, Option } from "effect"
import { digest } from "./hashers.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { put } from "./MemoryState.ts"

const keyOf = ({ key, subject }: IdempotencySlot): string => digest(JSON.stringify([subject, key]))

/**
 * XORs a text with numbers that depend on the slot. A second call with the result returns the text. Not secure: for
 * tests only.
 */
const cipher = ({ key, subject }: IdempotencySlot, text: string): string => {
  let state = Number.parseInt(digest(JSON.stringify([key, subject])).slice(8), 16) | 1
  let result = ""
  for (let index = 0; index < text.length; index++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    result += String.fromCharCode(text.charCodeAt(index) ^ (state & 0xffff))
  }
  return result
}

/** Encrypts the response of a slot, or decrypts it. */
const withCipher = (slot: IdempotencySlot, stored: StoredAnswer): StoredAnswer => ({
  ...stored,
  answer: cipher(slot, stored.answer)
})

/** In-memory `IdempotencyStore`. Units of work run one at a time, so a claim always succeeds. */
export const layerIdempotencyStore = Layer.effect(
  IdempotencyStore,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    IdempotencyStore.of({
      claim: () => Effect.succeed(true),
      find: (slot, since) =>
        Effect.map(
          state,
          ({ answers }) =>
            Option.fromUndefinedOr(answers.get(keyOf(slot))).pipe(
              Option.filter(({ stored_at }) => stored_at >= since),
              Option.map((stored) => withCipher(slot, stored))
            )
        ),
      save: (slot, answer) => update((now) => put(now, "answers", keyOf(slot), withCipher(slot, answer)))
    }))
)

/** Reads the stored data of an `IdempotencyStore`. Only the contract suite of this port requires this service. */
export class IdempotencyInspector extends Context.Service<IdempotencyInspector, {
  /** Returns every stored value of every response, keys included: texts or bytes. */
  readonly values: Effect.Effect<ReadonlyArray<string | Uint8Array>>
}>()("@lastro/testkit/memory/idempotency/IdempotencyInspector") {}

/** Reads the in-memory responses. */
export const layerIdempotencyInspector = Layer.effect(
  IdempotencyInspector,
  Effect.map(MemoryDatabase, ({ state }) =>
    IdempotencyInspector.of({
      values: Effect.map(
        state,
        ({ answers }) => Array.from(answers, ([key, answer]) => [key, ...Object.values(answer)]).flat()
      )
    }))
)
