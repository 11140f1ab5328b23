import { sandboxCpf } from "@lastro/domain/adapters"
import { type LenderFault } from "@lastro/testkit/lender-server"
import { Effect, Fiber, Random, type Scope } from "effect"
import { type Customer, customer } from "../running/Customer.ts"
import { customerViolations, scenarioOf } from "../running/customerScenarios.ts"
import { applicationClientOf } from "../running/desk.ts"
import { type Administrator, administrator } from "./Administrator.ts"
import { type Fault, type Scene } from "./Fault.ts"
import { type Node, timeUntilReady } from "./Fleet.ts"
import { type Traffic, type TrafficReport } from "./Traffic.ts"

/** The sizes and durations of a phase. */
export interface PhaseOptions {
  readonly customers: number
  readonly administrators: number
  /** Time of undisturbed traffic before the fault, in milliseconds. */
  readonly calmMs: number
  readonly faultMs: number
}

/** Maximum time from the end of a fault until every unfinished quote and contract has ended, in milliseconds. */
export const settleLimitMs = 30_000

/** Maximum time from the end of a fault until every node is ready, in milliseconds. */
export const readyLimitMs = 15_000

/** Time after which a customer who has not ended is given up, in milliseconds since the end of the fault. */
const giveUpMs = 75_000

/** The result of a phase. */
export interface PhaseReport {
  readonly customers: number
  readonly traffic: TrafficReport
  /** Time from the end of the fault until the last customer was served, in milliseconds. */
  readonly settledMs: number
  /** Time from the end of the fault until all nodes were ready; undefined if they were not. */
  readonly readyMs: number | undefined
  readonly problems: ReadonlyArray<string>
  readonly confirmedProposals: ReadonlyArray<string>
}

/** Faults of the lender for the first calls of a phase: one in ten is lost. */
const lenderNoise = Effect.forEach(Array.from({ length: 60 }), () =>
  Effect.map(Random.next, (dice): LenderFault | null =>
    dice < 0.04 ? "LOSE" : dice < 0.07 ? "HALF" : dice < 0.1 ? "DROP" : null))

interface Visit {
  readonly customer: Customer
  readonly index: number
  hasEnded: boolean
  isLate: boolean
}

/** Starts customers, one after the other in each place, until `isOver`. */
const openShop = Effect.fnUntraced(function*(
  { fleet }: Scene,
  phase: number,
  places: number,
  isOver: () => boolean
) {
  const visits: Array<Visit> = []
  const shop = applicationClientOf(fleet.send)
  const place = Effect.gen(function*() {
    while (!isOver()) {
      const index = phase * 1_000 + visits.length
      const visit = {
        index,
        hasEnded: false,
        isLate: false,
        customer: customer(
          { isUp: Effect.void },
          shop,
          { cpf: sandboxCpf(scenarioOf(index)[0], index), external_id: `ordeal-${index}` },
          {
            requotes: index % 3 === 2 ? 1 : 0,
            splitsKyc: index % 2 === 0,
            acceptsAll: index % 4 === 0,
            retryPause: "100 millis"
          }
        )
      }
      visits.push(visit)
      yield* visit.customer.run
      visit.hasEnded = true
      yield* Effect.sleep(yield* Random.nextIntBetween(50, 500))
    }
  })
  const fibers = yield* Effect.forEach(Array.from({ length: places }), () => Effect.forkScoped(place))
  return { visits, fibers }
})

/** Waits until all customers have been served. Returns the time; marks the customers who wait too long. */
const awaitCustomers = Effect.fnUntraced(function*(
  visits: ReadonlyArray<Visit>,
  fibers: ReadonlyArray<Fiber.Fiber<unknown>>,
  healedAt: number
) {
  while (fibers.some((fiber) => fiber.pollUnsafe() === undefined)) {
    const now = performance.now()
    for (const visit of visits) {
      const since = visit.customer.waitingSince()
      if (since !== undefined && now - Math.max(since, healedAt) > settleLimitMs) visit.isLate = true
    }
    if (now - healedAt > giveUpMs) {
      yield* Fiber.interruptAll(fibers)
      break
    }
    yield* Effect.sleep("100 millis")
  }
  return performance.now() - healedAt
})

const describe = ({ external_id, history, confirmed }: Customer, problems: ReadonlyArray<string>): string =>
  `application ${confirmed.application_id ?? external_id}: ${problems.join(", ")}\n      ${
    history.slice(-12).join("\n      ")
  }`

const judgeCustomers = Effect.fnUntraced(function*({ fleet, lender }: Scene, visits: ReadonlyArray<Visit>) {
  const shop = applicationClientOf(fleet.send)
  const contracts = lender.contracts()
  const problems: Array<string> = []
  for (const { customer, hasEnded, index, isLate } of visits) {
    const late = isLate ? [`waits for the lender more than ${settleLimitMs / 1_000} s after healing`] : []
    const broken = hasEnded
      ? yield* customerViolations(shop, customer, scenarioOf(index), contracts)
      : [`does not end within ${giveUpMs / 1_000} s after healing`]
    if (late.length + broken.length > 0) problems.push(describe(customer, [...late, ...broken]))
  }
  return problems
})

const judgeStop = Effect.fnUntraced(function*(node: Node) {
  const began = performance.now()
  const ending = yield* node.stop
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  yield* node.start()
  return ending === 0 ? [] : [`${node.name} ends with ${String(ending)} ${seconds} s after SIGTERM`]
})

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

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

  const late = visits.filter(({ hasEnded, isLate }) => isLate || !hasEnded).length
  const problems = [
    ...report.violations,
    ...ready.flatMap((ms, index) =>
      ms === undefined
        ? [`${scene.fleet.nodes[index]?.name ?? ""} is not ready ${seconds(readyLimitMs)} after healing`]
        : []
    ),
    ...(late === 0 ? [] : [`${late} of ${visits.length} customers are not served in time`])
  ]
  const judged = Effect.gen(function*() {
    problems.push(...yield* judgeCustomers(scene, visits))
    for (const { violations } of staff) problems.push(...yield* violations)
  })
  const inTime = yield* Effect.timeoutOption(judged, "60 seconds")
  if (inTime._tag === "None") problems.push("the confirmed results cannot be read within 60 s")
  problems.push(...yield* judgeStop(scene.victim))
  return {
    customers: visits.length,
    traffic: report,
    settledMs,
    readyMs: ready.includes(undefined) ? undefined : Math.max(...ready.map((ms) => ms ?? 0)),
    problems,
    confirmedProposals: visits.flatMap(({ customer: { confirmed } }) =>
      confirmed.accepted.map(({ proposal_id }) => String(proposal_id))
    )
  }
})
