import { UnitOfWork } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

/** Units of work over the in-memory database: one at a time, so that none is ever refused as Busy. */
export const layer = Layer.effect(
  UnitOfWork,
  Effect.map(MemoryDatabase, ({ atomically }) => UnitOfWork.of({ atomically }))
)
