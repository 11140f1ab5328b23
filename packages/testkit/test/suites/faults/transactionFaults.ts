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
import { breakPort, type Fault, faultOf, faultOfLayer, noUnits, options } from "./Fault.ts"

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

const answers = faultOf("IdempotencyStore", IdempotencyStore, idempotencyStoreSuite)
const tokens = faultOf("RefreshTokenRepository", RefreshTokenRepository, refreshTokenRepositorySuite)

/** Broken adapters of UnitOfWork, and ports that ignore the transaction. */
export const transactionFaults: ReadonlyArray<Fault> = [
  faultOfLayer(
    "UnitOfWork: a failed transaction does not roll back",
    /rolls back every write of an effect that fails/,
    unitOfWorkSuite,
    noUnits
  ),
  faultOfLayer(
    "UnitOfWork: a failed inner unit does not roll back",
    /nested unit of work that fails rolls back alone/,
    unitOfWorkSuite,
    noInnerUnits
  ),
  faultOfLayer("UnitOfWork: an open unit is not recognised", /`isOpen` is true inside/, unitOfWorkSuite, neverOpen),
  faultOfLayer(
    "AuditLog: entries survive a rollback",
    /writes the entry in the surrounding transaction/,
    auditLogSuite,
    auditOutside
  ),
  {
    fault: "IdempotencyStore: two transactions claim one key",
    detectedBy: /`claim` returns false/,
    suite: (runner) => idempotencyStoreSuite("broken", noUnits, runner, { ...options, units: "concurrent" })
  },
  answers("callers share keys", /keys of different callers/, ({ find, save }) => ({
    find: ({ key }, since) => find({ key, subject: "" }, since),
    save: ({ key }, answer) => save({ key, subject: "" }, answer)
  })),
  tokens("findForUpdate returns spent tokens as unspent", /`spend` sets|unspent/, ({ findForUpdate }) => ({
    findForUpdate: (token) => Effect.map(findForUpdate(token), Option.map((one) => ({ ...one, spent_at: null })))
  }))
]
