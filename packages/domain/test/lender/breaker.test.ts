import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  type BreakerAnswer,
  type CallResult,
  type Circuit,
  type Circuits,
  closedCircuit,
  judgeCall,
  recordResult
} from "../../src/lender/breaker.ts"

const limits = { failures: 5, openForMs: 1_000 }

/** Makes a breaker on a clock that only `pass` moves, whose calls end at once. */
const makeBreaker = () => {
  const circuits = new Map<string, Circuit>()
  const circuitsOf = (root: string): Circuits => ({
    all: circuits.get("") ?? closedCircuit,
    own: circuits.get(root) ?? closedCircuit
  })
  const store = (root: string, { all, own }: Circuits) => circuits.set("", all).set(root, own)
  let at = 0
  let lastId = 0
  const begin = (root: string, job: string) => {
    const call = { id: ++lastId, root, job }
    const [next, answer] = judgeCall(circuitsOf(root), call, at)
    store(root, next)
    return {
      answer,
      end: (result: CallResult) => {
        store(root, recordResult(circuitsOf(root), call, result, { at, limits }))
      }
    }
  }
  const call = (root: string, job: string, result: CallResult): BreakerAnswer => {
    const { answer, end } = begin(root, job)
    if (answer._tag === "CALL") end(result)
    return answer
  }
  return {
    begin,
    call,
    pass: (ms: number) => {
      at += ms
    }
  }
}

const made: BreakerAnswer = { _tag: "CALL" }
const withheld = (after_ms: number, is_cause = false): BreakerAnswer => ({ _tag: "WITHHELD", after_ms, is_cause })
const failAll = ({ call }: ReturnType<typeof makeBreaker>, root: string, jobs: ReadonlyArray<number>) =>
  jobs.map((job) => call(root, `${root}${job}`, "FAILURE")._tag)

describe("the circuit breaker of the lender", () => {
  it("LENDER-24 fewer than five distinct jobs never open it, however often they are repeated", () => {
    fc.assert(fc.property(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 4 })), { maxLength: 300 }),
      (calls) => {
        const breaker = makeBreaker()
        for (const [root, job] of calls) {
          assert.deepStrictEqual(breaker.call(root, `a${job}`, "FAILURE"), made)
        }
        assert.deepStrictEqual(breaker.call("d", "good", "SUCCESS"), made)
      }
    ))
  })

  it("LENDER-24 the failures of one tenant, however many, never withhold a call of another", () => {
    fc.assert(fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.nat({ max: 3_000 })), { maxLength: 200 }),
      (calls) => {
        const breaker = makeBreaker()
        for (const [index, [job, ms]] of calls.entries()) {
          breaker.call("attacker", `bad${job}`, "FAILURE")
          breaker.pass(ms)
          assert.deepStrictEqual(breaker.call("victim", `good${index}`, index % 3 === 0 ? "SUCCESS" : "IGNORED"), made)
        }
      }
    ))
  })

  it("LENDER-24 five distinct jobs of a tenant open it for the tenant, and a success in between starts the count again", () => {
    const breaker = makeBreaker()
    assert.deepStrictEqual(failAll(breaker, "a", [1, 2, 3, 4]), ["CALL", "CALL", "CALL", "CALL"])
    breaker.call("a", "good", "SUCCESS")
    assert.deepStrictEqual(failAll(breaker, "a", [1, 2, 3, 4, 5]), ["CALL", "CALL", "CALL", "CALL", "CALL"])
    assert.deepStrictEqual(breaker.call("a", "new", "SUCCESS"), withheld(1_000))
    assert.deepStrictEqual(breaker.call("b", "new", "IGNORED"), made)
  })

  it("LENDER-24 five distinct jobs of three tenants in a row open it for all", () => {
    const breaker = makeBreaker()
    failAll(breaker, "a", [1, 2, 3])
    failAll(breaker, "b", [1, 2])
    assert.deepStrictEqual(breaker.call("d", "new", "IGNORED"), made, "only two tenants")
    failAll(breaker, "c", [1])
    assert.deepStrictEqual(breaker.call("d", "new", "SUCCESS"), withheld(1_000))
    breaker.pass(1_000)
    assert.deepStrictEqual(breaker.call("d", "new", "SUCCESS"), made)
    assert.deepStrictEqual(breaker.call("a", "a1", "SUCCESS"), made)
  })

  it("LENDER-23 the probe goes to another job than one that failed", () => {
    const breaker = makeBreaker()
    failAll(breaker, "a", [1, 2, 3, 4, 5])
    breaker.pass(1_000)
    assert.deepStrictEqual(breaker.call("a", "a5", "FAILURE"), withheld(1_000, true))
    assert.deepStrictEqual(breaker.call("a", "a1", "FAILURE"), withheld(1_000, true))
    assert.deepStrictEqual(breaker.call("a", "good", "SUCCESS"), made)
    assert.deepStrictEqual(breaker.call("a", "a5", "FAILURE"), made)
  })

  it("LENDER-23 a job that failed gets the probe if no other job has taken it for the same time again", () => {
    const breaker = makeBreaker()
    failAll(breaker, "a", [1, 2, 3, 4, 5])
    breaker.pass(1_999)
    assert.deepStrictEqual(breaker.call("a", "a1", "SUCCESS"), withheld(1, true))
    breaker.pass(1)
    assert.deepStrictEqual(breaker.call("a", "a1", "SUCCESS"), made)
    assert.deepStrictEqual(breaker.call("a", "a2", "SUCCESS"), made)
  })

  it("LENDER-23 one probe at a time; each failed probe doubles the open time, up to one minute", () => {
    const breaker = makeBreaker()
    failAll(breaker, "a", [1, 2, 3, 4, 5])
    for (const [index, open] of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000].entries()) {
      breaker.pass(index === 0 ? 1_000 : Math.min(1_000 * 2 ** index, 60_000))
      const probe = breaker.begin("a", `probe${index}`)
      assert.deepStrictEqual(probe.answer, made)
      assert.deepStrictEqual(breaker.call("a", "other", "SUCCESS"), withheld(1_000))
      probe.end("FAILURE")
      assert.deepStrictEqual(breaker.call("a", "other", "SUCCESS"), withheld(open))
    }
  })

  it("LENDER-23 an interrupted probe leaves the probe to the next job", () => {
    const breaker = makeBreaker()
    failAll(breaker, "a", [1, 2, 3, 4, 5])
    breaker.pass(1_000)
    breaker.begin("a", "first").end("IGNORED")
    assert.deepStrictEqual(breaker.call("a", "second", "SUCCESS"), made)
    assert.deepStrictEqual(breaker.call("a", "third", "SUCCESS"), made)
  })

  it("LENDER-23 a probe without a result ends after 35 seconds", () => {
    const breaker = makeBreaker()
    failAll(breaker, "a", [1, 2, 3, 4, 5])
    breaker.pass(1_000)
    const lost = breaker.begin("a", "lost")
    assert.deepStrictEqual(lost.answer, made)
    breaker.pass(34_999)
    assert.deepStrictEqual(breaker.call("a", "next", "FAILURE"), withheld(1_000))
    breaker.pass(1)
    assert.deepStrictEqual(breaker.call("a", "next", "FAILURE"), made)
    lost.end("FAILURE")
    assert.deepStrictEqual(breaker.call("a", "other", "SUCCESS"), withheld(2_000), "only the second probe counts")
  })

  /** Opens the circuit of all tenants. */
  const makeOutage = () => {
    const breaker = makeBreaker()
    for (const root of ["a", "b", "c"]) failAll(breaker, root, [1, 2])
    assert.deepStrictEqual(breaker.call("d", "d1", "SUCCESS"), withheld(1_000))
    breaker.pass(1_000)
    return breaker
  }

  it("LENDER-23 a tenant whose probes fail does not keep the circuit of all tenants open", () => {
    const breaker = makeOutage()
    assert.deepStrictEqual(breaker.call("a", "a9", "FAILURE"), made)
    assert.deepStrictEqual(breaker.call("a", "a10", "FAILURE"), withheld(2_000), "each tenant has one probe")
    const slow = breaker.begin("a", "a11")
    assert.strictEqual(slow.answer._tag, "WITHHELD")
    assert.deepStrictEqual(breaker.call("victim", "good", "SUCCESS"), made)
    assert.deepStrictEqual(breaker.call("victim", "good2", "SUCCESS"), made)
  })

  it("LENDER-23 the circuit of all tenants opens again for twice the time when the probes of three tenants have failed", () => {
    const breaker = makeOutage()
    for (const root of ["d", "e", "f"]) assert.deepStrictEqual(breaker.call(root, `${root}1`, "FAILURE"), made)
    assert.deepStrictEqual(breaker.call("g", "g1", "SUCCESS"), withheld(2_000))
  })

  it("LENDER-23 the circuit of all tenants makes at most three probes at a time", () => {
    const breaker = makeOutage()
    const [first] = ["d", "e", "f"].map((root) => breaker.begin(root, `${root}1`))
    assert.deepStrictEqual(breaker.begin("g", "g1").answer, withheld(1_000))
    first?.end("IGNORED")
    assert.deepStrictEqual(breaker.begin("g", "g1").answer, made)
    assert.deepStrictEqual(breaker.begin("h", "h1").answer, withheld(1_000))
  })

  it("LENDER-24 while the lender is down, at most five calls of three tenants fail before all others are withheld", () => {
    fc.assert(fc.property(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 400 }),
      (roots) => {
        const breaker = makeBreaker()
        const failed = new Set<string>()
        let calls = 0
        for (const [index, root] of roots.entries()) {
          const answer = breaker.call(`root${root}`, `job${index}`, "FAILURE")
          if (answer._tag === "WITHHELD") continue
          assert.isTrue(failed.size < 3 || calls < 5, "the circuit of all tenants is open")
          failed.add(`root${root}`)
          calls++
        }
      }
    ))
  })

  it("LENDER-24 the many failures of one tenant do not displace those of others from the circuit of all tenants", () => {
    const breaker = makeBreaker()
    failAll(breaker, "b", [1])
    failAll(breaker, "c", [1])
    failAll(breaker, "a", [1, 2])
    const repeated = Array.from({ length: 200 }, () => breaker.call("a", "a1", "FAILURE")._tag)
    assert.deepStrictEqual(new Set(repeated), new Set(["CALL"]), "four distinct jobs")
    failAll(breaker, "a", [3])
    assert.deepStrictEqual(breaker.call("d", "d1", "SUCCESS"), withheld(1_000))
  })
})
