import { assert, describe, it } from "@effect/vitest"
import { contractSuite, type RegisterCase } from "@lastro/testkit/contracts"
import { Context, Effect, Layer } from "effect"
import { collect } from "./collect.ts"
import { failuresIn } from "./failuresIn.ts"

class Told extends Context.Service<Told, { readonly tell: (what: string) => Effect.Effect<void> }>()("Told") {}

/** Runs a suite of these cases, each for 50 ms at most; answers what its layer and cases told, and which of them failed. */
const told = (cases: (it: RegisterCase<Told>) => void) =>
  Effect.gen(function*() {
    const told: Array<string> = []
    const tell = (what: string) => Effect.sync(() => void told.push(what))
    const layer = Layer.effect(
      Told,
      Effect.acquireRelease(
        Effect.as(tell("built"), Told.of({ tell })),
        () => tell("closed")
      )
    )
    const suite = contractSuite<Told>([{ port: "Told", cases: [cases] }])
    const failed = yield* failuresIn(collect((runner) => suite("told", layer, runner)), 50)
    return { told, failed: failed.map(({ name }) => name) }
  })

const tell = (what: string) => Effect.flatMap(Told, (one) => one.tell(what))

describe("contractSuite", () => {
  it.live("builds the layer before the first case and closes it after the last; each case has a scope of its own", () =>
    Effect.gen(function*() {
      const said = yield* told((it) => {
        for (const name of ["one", "other"]) {
          it(name, () => Effect.andThen(tell(name), Effect.addFinalizer(() => Effect.orDie(tell(`end of ${name}`)))))
        }
      })
      assert.deepStrictEqual(said, {
        told: ["built", "one", "end of one", "other", "end of other", "closed"],
        failed: []
      })
    }))

  it.live("a case fails by an error, by a defect and by a thrown assertion, and the others go on", () =>
    Effect.gen(function*() {
      const { failed } = yield* told((it) => {
        it("fails", () => Effect.fail("no"))
        it("dies", () => Effect.die("no"))
        it("throws", () => Effect.sync(() => assert.isTrue(false)))
        it("throws before it runs", () => assert.fail("no"))
        it("holds", () => Effect.void)
      })
      assert.deepStrictEqual(failed, ["fails", "dies", "throws", "throws before it runs"])
    }))

  it.live("a case that its runner has given up is interrupted, and has ended before the next one begins", () =>
    Effect.gen(function*() {
      const said = yield* told((it) => {
        it("waits", () =>
          Effect.onInterrupt(Effect.never, () => Effect.delay(Effect.orDie(tell("ended")), "20 millis")))
        it("next", () => tell("next"))
      })
      assert.deepStrictEqual(said, { told: ["built", "ended", "next", "closed"], failed: ["waits"] })
    }))
})
