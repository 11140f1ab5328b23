import { AuditLog, IdempotencyStore, RefreshTokenRepository, UnitOfWork } from "@lastro/domain"
import { type AuditEntry } from "@lastro/domain"
import { AuditInspector, layerMemory } from "@lastro/testkit"
import {
  auditLogSuite,
  idempotencyStoreSuite,
  refreshTokenRepositorySuite,
  unitOfWorkSuite
} from "@lastro/testkit/contracts"
import { Context, Effect, Layer, Option, Ref } from "effect"
import { type Fault, options, spoilt } from "./Fault.ts"

/** Units that are none: every write is kept at once and seen by all. */
const noUnits = spoilt(UnitOfWork, () => Effect.succeed(UnitOfWork.of({ atomically: (effect) => effect })))

const Inside = Context.Reference("@lastro/testkit/test/contracts/Inside", { defaultValue: () => false })

/** Units within units that have no savepoint of their own. */
const noInnerUnits = spoilt(UnitOfWork, ({ atomically }) =>
  Effect.succeed(UnitOfWork.of({
    atomically: (effect) =>
      Effect.flatMap(Inside, (inside) => inside ? effect : atomically(Effect.provideService(effect, Inside, true)))
  })))

/** An audit that is written beside the transaction. */
const auditBeside = Layer.provideMerge(
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

/** Mistakes of adapters about transactions. */
export const transactionFaults: ReadonlyArray<Fault> = [
  {
    fault: "UnitOfWork: what a failed transaction wrote stays",
    named: /fails none of its writes happen/,
    suite: (runner) => unitOfWorkSuite("spoilt", noUnits, runner, options)
  },
  {
    fault: "UnitOfWork: what a failed unit within another wrote stays",
    named: /inner unit .* undone alone/,
    suite: (runner) => unitOfWorkSuite("spoilt", noInnerUnits, runner, options)
  },
  {
    fault: "AuditLog: what was undone is in the audit",
    named: /entry is written in the transaction/,
    suite: (runner) => auditLogSuite("spoilt", auditBeside, runner, options)
  },
  {
    fault: "IdempotencyStore: two transactions claim one key at once",
    named: /claim is false/,
    suite: (runner) => idempotencyStoreSuite("spoilt", noUnits, runner, { ...options, units: "concurrent" })
  },
  {
    fault: "IdempotencyStore: the keys of all callers are one",
    named: /keys of different callers/,
    suite: (runner) =>
      idempotencyStoreSuite(
        "spoilt",
        spoilt(IdempotencyStore, ({ claim, find, save }) =>
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
    fault: "RefreshTokenRepository: a token is found unspent although it was spent",
    named: /spend|unspent/,
    suite: (runner) =>
      refreshTokenRepositorySuite(
        "spoilt",
        spoilt(RefreshTokenRepository, (sound) =>
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
