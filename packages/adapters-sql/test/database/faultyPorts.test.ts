import { assert, it } from "@effect/vitest"
import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { aPartner, Faults, faulty, InjectedFault, layerFaults, storeRootPartner } from "@lastro/testkit"
import { Cause, Effect, Exit, Layer, Result } from "effect"
import { postgres } from "../databases.ts"

const ports = faulty(postgres()).pipe(Layer.provideMerge(layerFaults))

const defectOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

it.layer(ports, { excludeTestServices: true })("a database with injected faults", (it) => {
  it.effect("a transaction with a lost answer has committed, and a failed one has stored nothing", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      const partners = yield* PartnerRepository
      const unit = yield* UnitOfWork
      const root = yield* storeRootPartner()
      const [committed, rolledBack] = [aPartner().under(root).build(), aPartner().under(root).build()]
      const exists = (id: typeof committed.partner_id) =>
        Effect.map(partners.find(asOperator.scope(root.partner_id), id), (found) => Result.isSuccess(judgeFound(found)))
      const insert = (partner: typeof committed) =>
        unit.atomically(partners.insert(asOperator.inScope(root.partner_id), partner))
      faults.loseAnswer(UnitOfWork, "atomically")
      assert.instanceOf(yield* defectOf(insert(committed)), InjectedFault)
      assert.isTrue(yield* exists(committed.partner_id))
      faults.loseAnswer(PartnerRepository, "insert")
      assert.instanceOf(yield* defectOf(insert(rolledBack)), InjectedFault)
      assert.isFalse(yield* exists(rolledBack.partner_id), "its transaction was rolled back")
    }))
})
