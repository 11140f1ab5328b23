import { completeCpf, IdGenerator, now, SecretGenerator } from "@lastro/domain"
import { Effect, Layer, Redacted, Ref } from "effect"
import { CurrentFresh, type Fresh, randomFresh } from "../given/Fresh.ts"
import * as MemoryIds from "../memory/IdGenerator.ts"
import * as MemorySecrets from "../memory/SecretGenerator.ts"

/** The members of a list, one after the other, and then what else there is. */
const first = <A>(all: ReadonlyArray<A>, then: Effect.Effect<A>): Effect.Effect<A> => {
  const left = [...all]
  return Effect.suspend(() => {
    const next = left.shift()
    return next === undefined ? then : Effect.succeed(next)
  })
}

/** Where the ids of new records come from. */
export const layerIds = (ids: "sequential" | "random" | ReadonlyArray<string>): Layer.Layer<IdGenerator> =>
  ids === "sequential"
    ? MemoryIds.layer
    : ids === "random"
    ? Layer.succeed(IdGenerator, IdGenerator.of({ next: randomFresh.id }))
    : Layer.effect(IdGenerator, Effect.map(IdGenerator, ({ next }) => IdGenerator.of({ next: first(ids, next) }))).pipe(
      Layer.provide(MemoryIds.layer)
    )

/** Where new secrets come from. */
export const layerSecrets = (secrets: "sequential" | ReadonlyArray<string>): Layer.Layer<SecretGenerator> =>
  secrets === "sequential"
    ? MemorySecrets.layer
    : Layer.effect(
      SecretGenerator,
      Effect.map(
        SecretGenerator,
        ({ next }) => SecretGenerator.of({ next: first(secrets.map((secret) => Redacted.make(secret)), next) })
      )
    ).pipe(Layer.provide(MemorySecrets.layer))

/**
 * Examples with ids and documents counted up from one, the same in every run, and none that a generator of ids gives; at the time
 * of the surroundings.
 */
export const layerFreshInTurn: Layer.Layer<never> = Layer.effect(
  CurrentFresh,
  Effect.gen(function*() {
    const counting = Effect.map(Ref.make(0), Ref.updateAndGet((last) => last + 1))
    const fresh: Fresh = {
      id: Effect.map(yield* counting, (number) => `01900000-0000-7000-a000-${number.toString(16).padStart(12, "0")}`),
      cpf: Effect.map(yield* counting, (number) => completeCpf(String(100_000_000 + number))),
      at: now
    }
    return fresh
  })
)
