import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { inTurns, type Tenancy, turnKeys, type Turns, type WaitingWork } from "../../src/ports/turns.ts"

const tenancies = fc.record<Tenancy>({ root: fc.constantFrom("a", "b", "c"), partner: fc.constantFrom("1", "2", "3") })
const works: fc.Arbitrary<ReadonlyArray<WaitingWork>> = fc.array(tenancies, { minLength: 1, maxLength: 40 }).map((
  all
) => all.map((tenancy, since) => ({ ...tenancy, since })))
const runnings = fc.array(tenancies, { maxLength: 12 })

describe("inTurns", () => {
  it("TURN-01 it starts all waiting work once, and that of a partner in its order", () => {
    fc.assert(fc.property(works, runnings, (waiting, running) => {
      const ordered = inTurns(waiting, { running })
      assert.deepStrictEqual(ordered.toSorted((one, other) => one.since - other.since), waiting)
      for (const [, own] of Map.groupBy(ordered, (work) => turnKeys(work)[1])) {
        assert.deepStrictEqual(own, own.toSorted((one, other) => one.since - other.since))
      }
    }))
  })

  it("TURN-01 each turn is that of a root with the fewest running, and in it of a partner with the fewest", () => {
    fc.assert(fc.property(works, runnings, (waiting, running) => {
      const started: Array<Tenancy> = [...running]
      const left = new Set(waiting)
      const fewest = (keyOf: (one: Tenancy) => string, among: ReadonlyArray<Tenancy>) =>
        Math.min(...among.map((one) => started.filter((other) => keyOf(other) === keyOf(one)).length))
      for (const next of inTurns(waiting, { running })) {
        const countOf = (index: 0 | 1) => started.filter((one) => turnKeys(one)[index] === turnKeys(next)[index]).length
        assert.strictEqual(countOf(0), fewest(({ root }) => root, Array.from(left)))
        const siblings = Array.from(left).filter(({ root }) => root === next.root)
        assert.strictEqual(countOf(1), fewest((one) => turnKeys(one)[1], siblings))
        started.push(next)
        left.delete(next)
      }
    }))
  })

  it("TURN-01 work of a root with nothing running or waiting is the next, however much work of others waits", () => {
    fc.assert(fc.property(works, runnings, fc.nat({ max: 100 }), (waiting, running, since) => {
      const busy = new Set(running.map(({ root }) => root))
      const mine = { root: "new", partner: "1", since }
      const [first] = inTurns([...waiting, mine], {
        running,
        served: Array.from(busy).concat(waiting.flatMap((work) => turnKeys(work)))
      })
      assert.strictEqual(first, mine)
    }))
  })

  it("TURN-01 the order is the same, whether turns are given one at a time or together, and whether work is counted or listed", () => {
    fc.assert(fc.property(works, runnings, fc.nat({ max: 50 }), (waiting, running, count) => {
      let turns: Turns = { running, served: [] }
      let left = waiting
      for (const next of inTurns(waiting, { running }, count)) {
        const [first] = inTurns(left, turns)
        assert.strictEqual(next, first)
        left = left.filter((one) => one !== next)
        const keys = turnKeys(next)
        turns = {
          running: [...turns.running, next],
          served: [...(turns.served ?? []).filter((key) => !keys.includes(key)), ...keys]
        }
      }
      const heads = Array.from(
        Map.groupBy(waiting, (work) => turnKeys(work)[1]).values(),
        ([first = { root: "", partner: "", since: 0 }, ...others]) => ({ ...first, times: 1 + others.length })
      )
      const keysOf = (order: ReadonlyArray<WaitingWork>) => order.map((work) => turnKeys(work)[1])
      assert.deepStrictEqual(keysOf(inTurns(heads, { running }, count)), keysOf(inTurns(waiting, { running }, count)))
    }))
  })
})
