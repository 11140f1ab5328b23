import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type AdmissionLimits, AdmissionQueue, type Decision } from "../../src/admission/AdmissionQueue.ts"
import { type Entry, tenantOf, type WorkKind } from "../../src/admission/WaitingLine.ts"

const kinds = ["read", "write"] as const

const limits: AdmissionLimits = {
  slots: 4,
  slotsPerKind: 3,
  slotsPerCaller: 3,
  slotsPerCallerAndKind: 2,
  slotsPerTenant: 3,
  slotsPerTenantAndKind: 2,
  queue: 5,
  newestFirstAbove: 3,
  burstWait: 100,
  standingWait: 20
}

type Where = "running" | "waiting" | "paused" | "resuming" | "refused" | "ended"

/** The queue, with a record of where each request is. */
class Observed {
  readonly queue: AdmissionQueue<Entry>
  readonly where = new Map<Entry, Where>()
  now = 0

  constructor(given: AdmissionLimits = limits) {
    this.queue = new AdmissionQueue(given)
  }

  entries(...at: ReadonlyArray<Where>): ReadonlyArray<Entry> {
    return [...this.where].flatMap(([entry, where]) => at.includes(where) ? [entry] : [])
  }

  arrive(kind: WorkKind, caller: string): Entry {
    const entry = { kind, caller, at: this.now }
    this.where.set(entry, "waiting")
    this.apply(this.queue.arrive(entry))
    return entry
  }

  leave(entry: Entry, to: "paused" | "ended"): void {
    this.where.set(entry, to)
    this.apply(this.queue.end(entry))
  }

  resume(entry: Entry): void {
    this.where.set(entry, "resuming")
    this.apply(this.queue.resume(entry))
  }

  expire(): void {
    this.apply(this.queue.expire(this.now))
  }

  apply({ admitted, refused }: Decision<Entry>): void {
    for (const entry of admitted) {
      assert.include(["waiting", "resuming"], this.where.get(entry))
      this.where.set(entry, "running")
    }
    for (const { entry } of refused) {
      assert.strictEqual(this.where.get(entry), "waiting", "only a waiting request is refused")
      this.where.set(entry, "refused")
    }
  }
}

const callers = ["a", "b", "c", "d"]
/** Callers of tenants, the last of which is a tenant of its own. */
const tenantCallers = ["t 1", "t 2", "t 3", "u 1", "a"]

type Event =
  | { readonly do: "arrive"; readonly kind: WorkKind; readonly caller: string }
  | { readonly do: "end" | "pause" | "resume" | "leave"; readonly which: number }
  | { readonly do: "identify"; readonly which: number; readonly caller: string }
  | { readonly do: "pass"; readonly time: number }

const caller = fc.constantFrom(...callers)
const which = fc.nat(1_000)
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("arrive" as const), kind: fc.constantFrom(...kinds), caller }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("end", "pause", "resume", "leave"), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("identify" as const), which, caller }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pass" as const), time: fc.nat(40) }) }
)

const pick = (all: ReadonlyArray<Entry>, which: number): Entry | undefined => all[which % Math.max(1, all.length)]

const perform = (observed: Observed, done: Event): void => {
  switch (done.do) {
    case "arrive":
      return void observed.arrive(done.kind, done.caller)
    case "pass":
      observed.now += done.time
      return observed.expire()
    case "identify": {
      const entry = pick(observed.entries("running"), done.which)
      return entry === undefined ? undefined : observed.apply(observed.queue.identify(entry, done.caller))
    }
    case "resume": {
      const entry = pick(observed.entries("paused"), done.which)
      return entry === undefined ? undefined : observed.resume(entry)
    }
    default: {
      const from: ReadonlyArray<Where> = done.do === "leave" ? ["waiting", "resuming"] : ["running"]
      const entry = pick(observed.entries(...from), done.which)
      return entry === undefined ? undefined : observed.leave(entry, done.do === "pause" ? "paused" : "ended")
    }
  }
}

/** Runs random events and checks a property after each. */
const always = (
  check: (observed: Observed) => void,
  events: fc.Arbitrary<ReadonlyArray<Event>> = fc.array(event, { maxLength: 120 })
): void =>
  fc.assert(fc.property(events, (all) => {
    const observed = new Observed()
    for (const one of all) {
      observed.now += 1
      perform(observed, one)
      check(observed)
    }
  }))

const countOf = (entries: ReadonlyArray<Entry>, of: Partial<Entry>): number =>
  entries.filter(({ caller, kind }) => (of.kind ?? kind) === kind && (of.caller ?? caller) === caller).length

const hasFullShare = (running: ReadonlyArray<Entry>, { caller, kind }: Entry): boolean =>
  countOf(running, { caller }) >= limits.slotsPerCaller ||
  countOf(running, { caller, kind }) >= limits.slotsPerCallerAndKind

describe("the admission queue", () => {
  it("never exceeds the slots of the node, of a kind or of a caller", () =>
    always((observed) => {
      const running = observed.entries("running")
      assert.isAtMost(running.length, limits.slots)
      for (const kind of kinds) {
        assert.isAtMost(countOf(running, { kind }), limits.slotsPerKind)
        assert.strictEqual(observed.queue.running(kind), countOf(running, { kind }))
        assert.strictEqual(observed.queue.waiting(kind), countOf(observed.entries("waiting"), { kind }))
      }
      for (const one of callers) assert.strictEqual(observed.queue.runningOf(one), countOf(running, { caller: one }))
    }))

  it("a caller starts no request while it has its share of the slots", () => {
    const noIdentity = event.filter((one) => one.do !== "identify")
    always(
      (observed) => {
        for (const one of callers) {
          const running = observed.entries("running")
          assert.isAtMost(countOf(running, { caller: one }), limits.slotsPerCaller)
          for (const kind of kinds) {
            assert.isAtMost(countOf(running, { caller: one, kind }), limits.slotsPerCallerAndKind)
          }
        }
      },
      fc.array(noIdentity, { maxLength: 120 })
    )
  })

  it("reports that a caller has more slots than its share once its requests are identified", () => {
    const observed = new Observed()
    const entries = ["address:1", "address:1", "address:2"].map((one) => observed.arrive("read", one))
    const exceeds = entries.map((entry) => {
      observed.apply(observed.queue.identify(entry, "a"))
      return observed.queue.exceedsShare(entry)
    })
    assert.deepStrictEqual(exceeds, [false, false, true])
    const [first, , third] = entries
    assert(first !== undefined && third !== undefined)
    observed.leave(third, "paused")
    observed.resume(third)
    assert.strictEqual(observed.where.get(third), "resuming")
    observed.leave(first, "ended")
    assert.strictEqual(observed.where.get(third), "running")
  })

  it("TURN-01 the callers of a tenant together leave a slot of each kind to other tenants, which start at once", () =>
    fc.assert(fc.property(
      fc.array(fc.record({ kind: fc.constantFrom(...kinds), caller: fc.integer({ min: 1, max: 16 }) }), {
        maxLength: 60
      }),
      fc.constantFrom(...kinds),
      (arrivals, kind) => {
        const observed = new Observed()
        for (const one of arrivals) observed.arrive(one.kind, `flood user:${one.caller}`)
        assert.strictEqual(observed.where.get(observed.arrive(kind, "victim user:1")), "running")
      }
    )))

  it("TURN-01 the tenant with the fewest running requests is next, then its caller with the fewest", () =>
    fc.assert(fc.property(
      fc.array(fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(...tenantCallers)), { minLength: 8, maxLength: 40 }),
      fc.nat(),
      (arrivals, which) => {
        const observed = new Observed({ ...limits, queue: 100, newestFirstAbove: 100 })
        for (const [kind, caller] of arrivals) observed.arrive(kind, caller)
        const before = new Set(observed.entries("waiting"))
        const ended = pick(observed.entries("running"), which)
        if (ended === undefined) return
        observed.leave(ended, "ended")
        const next = observed.entries("running").find((entry) => before.has(entry))
        if (next === undefined) return
        const running = observed.entries("running").filter((entry) => entry !== next)
        const countsOf = ({ caller }: Entry): readonly [number, number] => [
          running.filter((one) => tenantOf(one.caller) === tenantOf(caller)).length,
          countOf(running, { caller })
        ]
        const [tenant, own] = countsOf(next)
        for (const other of observed.entries("waiting")) {
          const isAble = countOf(running, { kind: other.kind }) < limits.slotsPerKind &&
            running.filter(({ caller }) => tenantOf(caller) === tenantOf(other.caller)).length <
              limits.slotsPerTenant &&
            running.filter(({ caller, kind }) => tenantOf(caller) === tenantOf(other.caller) && kind === other.kind)
                .length < limits.slotsPerTenantAndKind &&
            !hasFullShare(running, other)
          if (!isAble) continue
          const [others, its] = countsOf(other)
          assert.isTrue(tenant < others || tenant === others && own <= its)
        }
      }
    )))

  it("TURN-01 a full queue refuses a request of the tenant with the most waiting requests", () => {
    const observed = new Observed()
    for (let user = 1; user <= 8; user++) observed.arrive("read", `flood user:${user}`)
    const victims = [1, 2, 3].map(() => observed.arrive("read", "victim user:1"))
    assert.isTrue(victims.every((entry) => observed.where.get(entry) !== "refused"))
  })

  it("bounds the waiting requests of each kind", () =>
    always((observed) => {
      for (const kind of kinds) assert.isAtMost(observed.queue.waiting(kind), limits.queue)
    }))

  it("leaves no slot free that a waiting request could use", () =>
    always((observed) => {
      const running = observed.entries("running")
      if (running.length === limits.slots) return
      for (const entry of observed.entries("waiting", "resuming")) {
        const isKindFull = countOf(running, { kind: entry.kind }) === limits.slotsPerKind
        assert(isKindFull || hasFullShare(running, entry), "a request waits beside a free slot")
      }
    }))

  it("a request that started and paused is never refused, and continues before others start", () =>
    always((observed) => {
      const resuming = observed.entries("resuming")
      const running = observed.entries("running")
      for (const entry of resuming) {
        const isKindFull = running.length === limits.slots ||
          countOf(running, { kind: entry.kind }) === limits.slotsPerKind
        assert(isKindFull || hasFullShare(running, entry))
      }
    }))

  it("every request ends: when all running requests end, all waiting ones start", () =>
    fc.assert(fc.property(fc.array(event, { maxLength: 120 }), (events) => {
      const observed = new Observed()
      events.forEach((one) => perform(observed, one))
      for (const entry of observed.entries("paused")) observed.resume(entry)
      for (let [next] = observed.entries("running"); next !== undefined; [next] = observed.entries("running")) {
        observed.leave(next, "ended")
      }
      assert.deepStrictEqual(observed.entries("waiting", "resuming", "running"), [])
    })))

  it("the caller with the fewest running requests is next", () => {
    const observed = new Observed({ ...limits, slots: 3, slotsPerKind: 3 })
    const [first] = [observed.arrive("read", "a"), observed.arrive("read", "a"), observed.arrive("read", "b")]
    const greedy = observed.arrive("read", "b")
    const modest = observed.arrive("read", "c")
    observed.leave(first, "ended")
    assert.deepStrictEqual([observed.where.get(greedy), observed.where.get(modest)], ["waiting", "running"])
  })

  it("a caller with one request waits behind no queue of another caller", () => {
    const observed = new Observed()
    for (let count = 0; count < 50; count++) observed.arrive("read", "a")
    assert.strictEqual(observed.where.get(observed.arrive("read", "b")), "running", "T62")
  })

  it("admits the oldest first, and the newest first while more requests wait", () => {
    const observed = new Observed({ ...limits, slots: 1, slotsPerKind: 1 })
    const running = observed.arrive("read", "a")
    const few = callers.slice(1).map((one) => observed.arrive("read", one))
    observed.leave(running, "ended")
    assert.strictEqual(observed.where.get(few[0]!), "running")
    for (const one of ["e", "f"]) {
      observed.now += 1
      few.push(observed.arrive("read", one))
    }
    observed.leave(few[0]!, "ended")
    assert.strictEqual(observed.where.get(few.at(-1)!), "running")
  })

  it("refuses a request of the caller with the most waiting requests if the queue is full", () =>
    always((observed) => {
      for (const [entry, where] of observed.where) {
        if (where !== "refused") continue
        observed.where.delete(entry)
        const waiting = observed.entries("waiting").filter(({ kind }) => kind === entry.kind)
        if (waiting.length < limits.queue) continue
        const most = Math.max(...callers.map((one) => countOf(waiting, { caller: one })))
        assert.isAtLeast(countOf(waiting, { caller: entry.caller }) + 1, most)
      }
    }))

  it("refuses a request after the burst wait, and sooner if requests have been waiting for long", () => {
    const observed = new Observed({ ...limits, slots: 1, slotsPerKind: 1 })
    observed.arrive("read", "a")
    const first = observed.arrive("read", "b")
    observed.now = 99
    observed.expire()
    assert.strictEqual(observed.where.get(first), "waiting")
    const second = observed.arrive("read", "c")
    observed.now = 118
    observed.expire()
    assert.deepStrictEqual([observed.where.get(first), observed.where.get(second)], ["refused", "waiting"])
    observed.now = 119
    observed.expire()
    assert.strictEqual(observed.where.get(second), "refused")
  })
})
