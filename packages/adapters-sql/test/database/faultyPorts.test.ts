import { assert, it } from "@effect/vitest"
import { asOperator, judge, PartnerRepository, UnitOfWork } from "@lastro/domain"
import { aPartner, Faults, faulty, givenRoot, InjectedFault, layerFaults } from "@lastro/testkit"
import { Cause, Effect, Exit, Layer, Result } from "effect"
import { pglite } from "../databases.ts"

const ports = faulty(pglite()).pipe(Layer.provideMerge(layerFaults))

const defectOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

it.layer(ports, { excludeTestServices: true })("a database that is faulty by the testkit's switches", (it) => {
  it.effect("a transaction whose answer is lost has committed, and one that fails has left nothing", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      const partners = yield* PartnerRepository
      const unit = yield* UnitOfWork
      const root = yield* givenRoot()
      const [kept, undone] = [aPartner().under(root).build(), aPartner().under(root).build()]
      const isThere = (id: typeof kept.partner_id) =>
        Effect.map(partners.find(asOperator.scope(root.partner_id), id), (found) => Result.isSuccess(judge(found)))
      const insert = (partner: typeof kept) =>
        unit.atomically(partners.insert(asOperator.inScope(root.partner_id), partner))
      faults.loseAnswer(UnitOfWork, "atomically")
      assert.instanceOf(yield* defectOf(insert(kept)), InjectedFault)
      assert.isTrue(yield* isThere(kept.partner_id))
      faults.loseAnswer(PartnerRepository, "insert")
      assert.instanceOf(yield* defectOf(insert(undone)), InjectedFault)
      assert.isFalse(yield* isThere(undone.partner_id), "its transaction was undone")
    }))
})
