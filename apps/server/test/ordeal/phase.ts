import { type LenderFault } from "@lastro/testkit/lender-server"
import { Cause, Effect, Exit, Fiber, Random, type Scope } from "effect"
import { type Customer } from "../running/Customer.ts"
import { type Administrator, administrator } from "./Administrator.ts"
import { type Fault, type Scene } from "./Fault.ts"
import { type Node, timeUntilReady } from "./Fleet.ts"
import { type Traffic, type TrafficReport } from "./Traffic.ts"
import { awaitCustomers, judgeCustomers, openShop } from "./visits.ts"

/** The sizes and durations of a phase. */
export interface PhaseOptions {
  readonly customers: number
  readonly administrators: number
  /** Time of undisturbed traffic before the fault, in milliseconds. */
  readonly calmMs: number
  readonly faultMs: number
}

/** Maximum time from the end of a fault until every node is ready, in milliseconds. */
const readyLimitMs = 15_000

/** The result of a phase. */
export interface PhaseReport {
  readonly traffic: TrafficReport
  /** Time from the end of the fault until the last customer was served, in milliseconds. */
  readonly settledMs: number
  /** Time from the end of the fault until all nodes were ready; undefined if they were not. */
  readonly readyMs: number | undefined
  readonly problems: ReadonlyArray<string>
  /** The customers who were served. */
  readonly served: ReadonlyArray<Customer>
  /** The applications of customers who were given up. */
  readonly givenUp: ReadonlyArray<string>
}

const judgeStop = Effect.fnUntraced(function*(node: Node) {
  const began = performance.now()
  const ending = yield* node.stop
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  yield* node.start()
  return ending === 0 ? [] : [`${node.name} ends with ${String(ending)} ${seconds} s after SIGTERM`]
})

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/**
 * Two faults of the lender among the first calls of a phase. A quote fails after three lost calls, so two cannot make
 * it fail.
 */
const lenderNoise: Effect.Effect<ReadonlyArray<LenderFault | null>> = Random.shuffle([
  "LOSE",
  "HALF",
  ...Array.from({ length: 38 }, () => null)
])

/** Strikes with a fault under traffic, heals it, and judges safety and liveness. */
export const runPhase = Effect.fnUntraced(function*(
  phase: number,
  fault: Fault,
  scene: Scene,
  traffic: Traffic,
  { administrators, calmMs, customers, faultMs }: PhaseOptions
): Effect.fn.Return<PhaseReport, never, Scope.Scope> {
  traffic.take()
  let isOver = false
  scene.lender.injectFaults(...yield* lenderNoise)
  const { fibers, visits } = yield* openShop(scene, phase, customers, () => isOver)
  const staff: ReadonlyArray<Administrator> = Array.from(
    { length: administrators },
    (_, index) => administrator(scene.fleet, phase * 10 + index)
  )
  const work = yield* Effect.forEach(staff, ({ run }) => Effect.forkScoped(run(() => isOver)))
  yield* Effect.sleep(calmMs)

  yield* Effect.scoped(Effect.andThen(fault.strike(scene), Effect.sleep(faultMs)))
  const healedAt = performance.now()
  isOver = true
  const readiness = yield* Effect.forkScoped(
    Effect.forEach(scene.fleet.nodes, (node) => timeUntilReady(node, healedAt, readyLimitMs), {
      concurrency: "unbounded"
    })
  )
  const settledMs = yield* awaitCustomers(visits, [...fibers, ...work], healedAt)
  const ready = yield* Fiber.join(readiness)
  const report = traffic.take()
  const exits = [...fibers, ...work].flatMap((fiber) => fiber.pollUnsafe() ?? [])
  const unfinished = work.filter((fiber) => Exit.hasInterrupts(fiber.pollUnsafe() ?? Exit.void)).length

  const late = visits.filter(({ hasEnded, isLate }) => isLate || !hasEnded).length
  const problems = [
    ...report.violations,
    ...ready.flatMap((ms, index) =>
      ms === undefined
        ? [`${scene.fleet.nodes[index]?.name ?? ""} is not ready ${seconds(readyLimitMs)} after healing`]
        : []
    ),
    ...(late === 0 ? [] : [`${late} of ${visits.length} customers are not served in time`]),
    ...(unfinished === 0 ? [] : [`${unfinished} administrators cannot finish their last request`]),
    ...exits.flatMap((exit) =>
      Exit.isFailure(exit) && !Exit.hasInterrupts(exit) ? [`the simulation failed: ${Cause.pretty(exit.cause)}`] : []
    )
  ]
  const judged = Effect.gen(function*() {
    problems.push(...yield* judgeCustomers(scene, visits))
    for (const { violations } of staff) problems.push(...yield* violations)
  })
  const inTime = yield* Effect.timeoutOption(judged, "60 seconds")
  if (inTime._tag === "None") problems.push("the confirmed results cannot be read within 60 s")
  problems.push(...yield* judgeStop(scene.victim))
  return {
    traffic: report,
    settledMs,
    readyMs: ready.includes(undefined) ? undefined : Math.max(...ready.map((ms) => ms ?? 0)),
    problems,
    served: visits.filter(({ hasEnded }) => hasEnded).map(({ customer }) => customer),
    givenUp: visits.filter(({ hasEnded }) => !hasEnded).map(({ customer }) => String(customer.confirmed.application_id))
  }
})
