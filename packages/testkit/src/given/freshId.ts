import { type Cpf, type Timestamp } from "@lastro/domain"
import { Effect } from "effect"
import { CurrentFresh } from "./Fresh.ts"

/**
 * A UUID in the shape of version 7, as the surroundings' `Fresh` makes it; random unless one is provided, so that records of
 * different cases never meet in one database.
 */
export const freshId: Effect.Effect<string> = Effect.flatMap(CurrentFresh, ({ id }) => id)

/** A CPF, as the surroundings' `Fresh` makes it; random unless one is provided. */
export const freshCpf: Effect.Effect<Cpf> = Effect.flatMap(CurrentFresh, ({ cpf }) => cpf)

/** When an example happened. */
export const freshInstant: Effect.Effect<Timestamp> = Effect.flatMap(CurrentFresh, ({ at }) => at)
