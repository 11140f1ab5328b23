import { type AuditEntry, AuditLog } from "@lastro/domain/audit"
import { IdempotencyStore } from "@lastro/domain/idempotency"
import { RefreshTokenRepository } from "@lastro/domain/identity"
import { UnitOfWork } from "@lastro/domain/ports"
import { AuditInspector, layerMemory } from "@lastro/testkit"
import {
  auditLogSuite,
  idempotencyStoreSuite,
  refreshTokenRepositorySuite,
  unitOfWorkSuite
} from "@lastro/testkit/suites"
import { Context, Effect, Layer, Option, Ref } from "effect"
import { breakPort, type Fault, options } from "./Fault.ts"

/** A UnitOfWork without transactions: every write is visible and permanent immediately. */
const noUnits = breakPort(
  UnitOfWork,
  ({ isOpen }) => Effect.succeed(UnitOfWork.of({ atomically: (effect) => effect, isOpen }))
)

/** A UnitOfWork that does not recognise that it is open. */
const neverOpen = breakPort(
  UnitOfWork,
  (sound) => Effect.succeed(UnitOfWork.of({ ...sound, isOpen: Effect.succeed(false) }))
)

const Inside = Context.Reference("@lastro/testkit/test/contracts/Inside", { defaultValue: () => false })

/** A UnitOfWork without savepoints for nested units. */
const noInnerUnits = breakPort(UnitOfWork, ({ atomically, isOpen }) =>
  Effect.succeed(UnitOfWork.of({
    isOpen,
    atomically: (effect) =>
      Effect.flatMap(Inside, (inside) => inside ? effect : atomically(Effect.provideService(effect, Inside, true)))
  })))

/** An AuditLog that writes outside the current transaction. */
const auditOutside = Layer.provideMerge(
  Layer.effectContext(
    Effect.map(Ref.make<ReadonlyArray<AuditEntry>>([]), (audit) =>
      Context.make(
        AuditLog,
        AuditLog.of({ record: (entry) => Ref.update(audit, (all) => [...all, entry]) })
      ).pipe(
        Context.add(
          AuditInspector,
          AuditInspector.of({
            entriesOf: (subject) =>
              Effect.map(Ref.get(audit), (all) => all.filter(({ subject_id }) => subject_id === subject))
          })
        )
      ))
  ),
  layerMemory
)

/** Broken adapters of UnitOfWork, and ports that ignore the transaction. */
export const transactionFaults: ReadonlyArray<Fault> = [
  {
    fault: "UnitOfWork: a failed transaction does not roll back",
    detectedBy: /rolls back every write of an effect that fails/,
    suite: (runner) => unitOfWorkSuite("broken", noUnits, runner, options)
  },
  {
    fault: "UnitOfWork: a failed inner unit does not roll back",
    detectedBy: /nested unit of work that fails rolls back alone/,
    suite: (runner) => unitOfWorkSuite("broken", noInnerUnits, runner, options)
  },
  {
    fault: "UnitOfWork: an open unit is not recognised",
    detectedBy: /`isOpen` is true inside/,
    suite: (runner) => unitOfWorkSuite("broken", neverOpen, runner, options)
  },
  {
    fault: "AuditLog: entries survive a rollback",
    detectedBy: /writes the entry in the surrounding transaction/,
    suite: (runner) => auditLogSuite("broken", auditOutside, runner, options)
  },
  {
    fault: "IdempotencyStore: two transactions claim one key",
    detectedBy: /`claim` returns false/,
    suite: (runner) => idempotencyStoreSuite("broken", noUnits, runner, { ...options, units: "concurrent" })
  },
  {
    fault: "IdempotencyStore: callers share keys",
    detectedBy: /keys of different callers/,
    suite: (runner) =>
      idempotencyStoreSuite(
        "broken",
        breakPort(IdempotencyStore, ({ claim, find, save }) =>
          Effect.succeed(IdempotencyStore.of({
            claim,
            find: ({ key }, since) => find({ key, subject: "" }, since),
            save: ({ key }, answer) => save({ key, subject: "" }, answer)
          }))),
        runner,
        options
      )
  },
  {
    fault: "RefreshTokenRepository: findForUpdate returns spent tokens as unspent",
    detectedBy: /`spend` sets|unspent/,
    suite: (runner) =>
      refreshTokenRepositorySuite(
        "broken",
        breakPort(RefreshTokenRepository, (sound) =>
          Effect.succeed({
            ...sound,
            findForUpdate: (token) =>
              Effect.map(sound.findForUpdate(token), Option.map((one) => ({ ...one, spent_at: null })))
          })),
        runner,
        options
      )
  }
]
