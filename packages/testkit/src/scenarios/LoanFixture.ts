import { type Allowed, authorize } from "@lastro/domain/access"
import { AuditLog, PersonalDataHasher } from "@lastro/domain/audit"
import { CommissionLedger, CommissionPlans } from "@lastro/domain/commission"
import { EventLog } from "@lastro/domain/event"
import { IdempotencyStore } from "@lastro/domain/idempotency"
import { type Lender, LenderThrottle, RoutingRepository } from "@lastro/domain/lender"
import {
  ApplicationRepository,
  DurableWork,
  KycSuggestions,
  ProposalRepository,
  StatusWatch
} from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { IdGenerator, PartnerTree, SecretGenerator, UnitOfWork } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { Clock, Context, Effect, Layer, References, Result, type Scope } from "effect"
import { aCaller } from "../builders/aCaller.ts"
import { freshId, freshSecret } from "../builders/Fresh.ts"
import { layerScriptedLender } from "../lender/layerScriptedLender.ts"
import { ScriptedLender } from "../lender/ScriptedLender.ts"
import { type JobQueue, makeJobQueue } from "./JobQueue.ts"

const storage = [
  ApplicationRepository,
  AuditLog,
  CommissionLedger,
  CommissionPlans,
  EventLog,
  IdempotencyStore,
  KycSuggestions,
  LenderThrottle,
  PartnerRepository,
  PartnerTree,
  PersonalDataHasher,
  ProposalRepository,
  RoutingRepository,
  UserRepository
] as const

/** The storage ports of loan origination. */
export type OriginationStorage = Context.Service.Identifier<(typeof storage)[number]> | UnitOfWork

/** All ports that the use cases of loan origination need. */
export type OriginationPorts = DurableWork | IdGenerator | Lender | OriginationStorage | SecretGenerator | StatusWatch

/**
 * A clock that only a test sets. Sleeps use another clock: Effect's clock of the context in which the fixture was
 * opened.
 */
export interface ManualWallClock {
  readonly clock: Clock.Clock
  /** Milliseconds since 1970, UTC. */
  readonly get: () => number
  readonly set: (millis: number) => void
}

/** Loan origination with any storage. The test controls the clock, the lender and the job queue. */
export interface LoanFixture {
  readonly clock: ManualWallClock
  readonly lender: ScriptedLender["Service"]
  readonly jobs: JobQueue
  readonly allowed: Allowed<"fgts:write">
  /** Runs a use case or a job with the fixture's ports and clock. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, OriginationPorts>) => Effect.Effect<A, E>
}

const makeWallClock = (millis: number): Effect.Effect<ManualWallClock> =>
  Effect.map(Clock.Clock, (outer) => {
    let now = millis
    const nanos = () => BigInt(now) * 1_000_000n
    return {
      get: () => now,
      set: (millis) => {
        now = millis
      },
      clock: {
        currentTimeMillisUnsafe: () => now,
        currentTimeMillis: Effect.sync(() => now),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => outer.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: outer.monotonicTimeNanos,
        sleep: (duration) => outer.sleep(duration)
      }
    }
  })

/** Opens a fixture for the applications of a root partner, with its clock set to `millis`. */
export const openLoanFixture = (
  partner: PartnerDetail,
  millis: number
): Effect.Effect<LoanFixture, never, OriginationStorage | Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* makeWallClock(millis)
    const jobs = yield* makeJobQueue
    const lender = yield* Layer.build(Layer.fresh(layerScriptedLender))
    const outer = yield* Effect.context<OriginationStorage>()
    const ports = Context.pick(...storage)(outer).pipe(
      Context.merge(lender),
      Context.add(UnitOfWork, jobs.unit),
      Context.add(DurableWork, jobs.durable),
      Context.add(IdGenerator, IdGenerator.of({ next: freshId })),
      Context.add(SecretGenerator, SecretGenerator.of({ next: freshSecret })),
      Context.add(
        StatusWatch,
        StatusWatch.of({
          wait: () => Effect.succeed("TIMEOUT"),
          hold: () => Effect.succeed("TIMEOUT"),
          changed: () => Effect.void,
          release: Effect.void
        })
      ),
      Context.add(Clock.Clock, clock.clock),
      // Scripted timeouts would fill the log with warnings.
      Context.add(References.MinimumLogLevel, "Error")
    )
    return {
      clock,
      lender: Context.get(lender, ScriptedLender),
      jobs,
      allowed: Result.getOrThrow(authorize(yield* aCaller().at(partner).asClient(), "fgts:write")),
      run: Effect.provideContext(ports)
    }
  })
