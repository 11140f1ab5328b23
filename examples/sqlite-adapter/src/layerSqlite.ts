import { UnitOfWork } from "@lastro/domain/ports"
import { Effect, Layer } from "effect"
import { Database, layerDatabase } from "./Database.ts"
import * as PartnerRepository from "./PartnerRepository.ts"
import * as PartnerTree from "./PartnerTree.ts"
import * as UserRepository from "./UserRepository.ts"

const layerUnitOfWork = Layer.effect(
  UnitOfWork,
  Effect.map(Database, ({ atomically, isOpen }) => UnitOfWork.of({ atomically, isOpen }))
)

/** The ports for partners and users over one SQLite database: a file, or `":memory:"`. */
export const layerSqlite = (file: string) =>
  Layer.mergeAll(PartnerRepository.layer, PartnerTree.layer, UserRepository.layer, layerUnitOfWork).pipe(
    Layer.provide(layerDatabase(file))
  )
