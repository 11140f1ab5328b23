import {
  type Allowed,
  ApplicationRepository,
  AuditLog,
  authorize,
  DurableWork,
  IdempotencyStore,
  IdGenerator,
  KycSuggestions,
  type Lender,
  type PartnerDetail,
  PartnerTree,
  PersonalDataHasher,
  SecretGenerator,
  StatusWatch,
  UnitOfWork
} from "@lastro/domain"
import { Clock, Context, Effect, Layer, References, Result, type Scope } from "effect"
import { aCaller } from "../given/aCaller.ts"
import { freshId, freshSecret } from "../given/Fresh.ts"
import { layerScriptedLender } from "../lender/layerScriptedLender.ts"
import { ScriptedLender } from "../lender/ScriptedLender.ts"
import { type PromisedWork, promisedWork } from "./promisedWork.ts"
import { type SettableClock, settableClock } from "./settableClock.ts"

/** What origination keeps its facts behind. */
export type OriginationStorage =
  | ApplicationRepository
  | AuditLog
  | IdempotencyStore
  | KycSuggestions
  | PartnerTree
  | PersonalDataHasher
  | UnitOfWork

/** What the use cases of origination need. */
export type OriginationPorts = DurableWork | IdGenerator | Lender | OriginationStorage | SecretGenerator | StatusWatch

/** Origination over any storage, everything else of it in a test's hand: the clock, the lender, and when promised work is done. */
export interface OriginationWorld {
  readonly clock: SettableClock
  readonly lender: ScriptedLender["Service"]
  readonly work: PromisedWork
  readonly allowed: Allowed<"fgts:write">
  /** Runs a use case, or work, by the world's clock. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, OriginationPorts>) => Effect.Effect<A, E>
}

const storage = [
  ApplicationRepository,
  AuditLog,
  IdempotencyStore,
  KycSuggestions,
  PartnerTree,
  PersonalDataHasher
] as const

/** A world for a root partner's applications, its clock set to an instant. */
export const originationWorld = (
  partner: PartnerDetail,
  millis: number
): Effect.Effect<OriginationWorld, never, OriginationStorage | Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* settableClock(millis)
    const work = yield* promisedWork
    const lender = yield* Layer.build(Layer.fresh(layerScriptedLender))
    const surroundings = yield* Effect.context<OriginationStorage>()
    const ports = Context.pick(...storage)(surroundings).pipe(
      Context.merge(lender),
      Context.add(UnitOfWork, work.unit),
      Context.add(DurableWork, work.durable),
      Context.add(IdGenerator, IdGenerator.of({ next: freshId })),
      Context.add(SecretGenerator, SecretGenerator.of({ next: freshSecret })),
      Context.add(
        StatusWatch,
        StatusWatch.of({ wait: () => Effect.succeed("TIMEOUT"), changed: () => Effect.void, release: Effect.void })
      ),
      Context.add(Clock.Clock, clock.clock),
      // This lender keeps silent on purpose, and everything would be told of it.
      Context.add(References.MinimumLogLevel, "Error")
    )
    return {
      clock,
      lender: Context.get(lender, ScriptedLender),
      work,
      allowed: Result.getOrThrow(authorize(yield* aCaller().at(partner).asClient(), "fgts:write")),
      run: Effect.provideContext(ports)
    }
  })
