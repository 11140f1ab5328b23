import { completeCpf, type Cpf, type Timestamp } from "@lastro/domain"
import { Context, Effect, Random } from "effect"
import { exampleInstant } from "./exampleInstant.ts"

/** Where builders take from what nobody tells them: ids and documents, which have to be unlike in all examples, and the time. */
export interface Fresh {
  /** A UUID in the shape of version 7. */
  readonly id: Effect.Effect<string>
  /** A CPF. */
  readonly cpf: Effect.Effect<Cpf>
  /** When it happened. */
  readonly at: Effect.Effect<Timestamp>
}

const uuid = (words: ReadonlyArray<number>): string => {
  const hex = words.map((word) => word.toString(16).padStart(4, "0")).join("")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Random throughout, so that records of different cases never meet in one database; all at the same time. */
export const randomFresh: Fresh = {
  id: Effect.map(Effect.replicateEffect(Random.nextIntBetween(0, 0xffff), 8), uuid),
  cpf: Effect.map(
    Random.nextIntBetween(0, 999_999_999),
    (number) => completeCpf(number % 111_111_111 === 0 ? "123456789" : String(number).padStart(9, "0"))
  ),
  at: Effect.succeed(exampleInstant)
}

/** The {@link Fresh} of the surroundings; random unless one is provided. */
export const CurrentFresh = Context.Reference<Fresh>("@lastro/testkit/given/Fresh/CurrentFresh", {
  defaultValue: () => randomFresh
})
