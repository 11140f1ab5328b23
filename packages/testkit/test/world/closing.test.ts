import { assert, describe, it } from "@effect/vitest"
import { centavos, layerSandboxLender, PartnerRepository } from "@lastro/domain"
import { LastroClosed } from "@lastro/domain/promises"
import { aCaller, anApplication, aPartner, held, layerScriptedLender, offering, openTestLastro } from "@lastro/testkit"
import { openTestApi } from "@lastro/testkit/http"
import { Effect, Latch, Layer } from "effect"
import { memoryTokens } from "../../src/world/layerWorld.ts"
import { openWorld } from "../../src/world/openWorld.ts"

const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => "came back", (reason: unknown) => reason)

describe("closing a world", () => {
  it("ends work that a test keeps", async () => {
    const world = await openTestLastro()
    const asked = Latch.makeUnsafe()
    const never = Latch.makeUnsafe()
    const answer = held(never, offering(centavos(900_00)))
    world.lender.answersQuotes((request) => Effect.andThen(asked.open, answer(request)))
    await world.given(anApplication())
    const work = outcomeOf(world.finishWork())
    await Effect.runPromise(asked.await)
    await world.close()
    assert.instanceOf(await work, LastroClosed)
    assert.instanceOf(await outcomeOf(world.given(aPartner())), LastroClosed)
    assert.strictEqual(world.state().partners.size, 1, "what there was can be looked at")
  })

  it("has calls come back that a fault keeps for ever", async () => {
    const world = await openTestLastro()
    const caller = await world.callerFor(aCaller())
    world.faults.delay(PartnerRepository, "list", "Infinity")
    const list = outcomeOf(world.lastro.listPartners(caller))
    await world.clock.advance("1 day")
    await world.close()
    assert.strictEqual(await list, "came back")
  })

  it("does not wait for ever for what nothing of ours keeps", async () => {
    const world = await openTestLastro()
    const kept = outcomeOf(world.lastro.run(Effect.suspend(() => Latch.makeUnsafe().await)))
    await world.close()
    assert.instanceOf(await kept, Error)
  })

  it("is for good: no port is opened any more", async () => {
    const api = await openTestApi()
    await api.listen()
    await api.close()
    assert.instanceOf(await outcomeOf(api.listen()), LastroClosed)
    const other = await openTestApi()
    await other.close()
    assert.instanceOf(await outcomeOf(other.listen()), LastroClosed)
  })

  it("closes the layer, and what else was opened, though something cannot be closed", async () => {
    const closed: Array<string> = []
    const noting = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => closed.push("layer"))))
    const { closesWith, world } = await openWorld({
      lender: layerScriptedLender,
      tokens: Layer.merge(memoryTokens, noting)
    }, {})
    closesWith(async () => {
      closed.push("first")
    })
    closesWith(() => Promise.reject(new Error("stuck")))
    assert.propertyVal(await outcomeOf(world.close()), "message", "stuck")
    assert.deepStrictEqual(closed, ["first", "layer"])
  })

  it("happens by itself where the API cannot be mounted", async () => {
    let closed = 0
    const counting = Layer.effectDiscard(
      Effect.acquireRelease(Effect.void, () =>
        Effect.sync(() => {
          closed++
        }))
    )
    const lender = Layer.merge(layerSandboxLender({ stepMs: 0 }), counting)
    const refused = await outcomeOf(openTestApi({ lender, prefix: "no prefix" }))
    assert.propertyVal(refused, "_tag", "OptionRefused")
    assert.strictEqual(closed, 1)
  })
})
