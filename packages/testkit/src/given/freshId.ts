import { completeCpf, type Cpf } from "@lastro/domain"
import { Effect, Random } from "effect"

/** A UUID in the shape of version 7, random throughout, so that records of different cases never meet in one database. */
export const freshId: Effect.Effect<string> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 0xffff), 8),
  (words) => {
    const hex = words.map((word) => word.toString(16).padStart(4, "0")).join("")
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
)

/** A random CPF. */
export const freshCpf: Effect.Effect<Cpf> = Effect.map(
  Random.nextIntBetween(0, 999_999_999),
  (number) => completeCpf(number % 111_111_111 === 0 ? "123456789" : String(number).padStart(9, "0"))
)
