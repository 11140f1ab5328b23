import { layerStatusWatch, type Lender, type SigningKeyRepository, type TokenSigner } from "@lastro/domain"
import { type UseCasePorts } from "@lastro/domain/promises"
import { Layer, References } from "effect"
import { type AuditInspector } from "../audit/AuditInspector.ts"
import { type Faults, layerFaults } from "../faults/Faults.ts"
import { faulty } from "../faults/faulty.ts"
import { exampleInstant } from "../given/Fresh.ts"
import * as DurableWork from "../memory/DurableWork.ts"
import { layerMemoryStorage } from "../memory/layerMemory.ts"
import { type MemoryDatabase } from "../memory/MemoryDatabase.ts"
import * as PasswordHasher from "../memory/PasswordHasher.ts"
import { type PendingWork } from "../memory/PendingWork.ts"
import * as MemoryTokenSigner from "../memory/TokenSigner.ts"
import { layerFreshInTurn, layerIds, layerSecrets } from "./sequences.ts"
import { layerWorldClock, millisOfInstant, type WorldClock } from "./WorldClock.ts"
import { type WorldOptions } from "./WorldOptions.ts"

/** Everything that a test's world is made of, beside the ports of the use cases. */
export type WorldServices =
  | AuditInspector
  | Faults
  | Lender
  | MemoryDatabase
  | PendingWork
  | SigningKeyRepository
  | WorldClock

/** Access tokens over the ports beneath them: unsigned ones in memory. */
export const memoryTokens: Layer.Layer<TokenSigner> = MemoryTokenSigner.layer

/** What a world is built from: its lender, and what signs its access tokens. */
export interface WorldParts<L, T> {
  readonly lender: Layer.Layer<L | Lender>
  readonly tokens: Layer.Layer<T | TokenSigner, never, SigningKeyRepository>
}

/** Every port in memory, with a lender, at a clock that stands still; nothing happens by itself, and everything can be made to fail. */
export const layerWorld = <L, T>(
  { lender, tokens }: WorldParts<L, T>,
  { ids = "sequential", logs = "None", now = exampleInstant, secrets = "sequential" }: WorldOptions
): Layer.Layer<L | T | UseCasePorts | WorldServices> => {
  const generators = Layer.mergeAll(layerIds(ids), PasswordHasher.layer, layerSecrets(secrets))
  const stored = faulty(Layer.mergeAll(layerMemoryStorage, generators, lender))
  const signing = Layer.provideMerge(faulty(tokens), stored)
  const watched = Layer.provideMerge(faulty(layerStatusWatch({ tick: "Infinity" })), signing)
  return Layer.provideMerge(faulty(DurableWork.layerByHand), watched).pipe(
    Layer.provideMerge(layerFaults),
    Layer.provideMerge(layerFreshInTurn),
    Layer.provideMerge(layerWorldClock(millisOfInstant(now))),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, logs))
  )
}
