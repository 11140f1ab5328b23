import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Cause, Effect, Exit, Random, type Scope } from "effect"
import { type Customer } from "../running/Customer.ts"
import { stepMs } from "../running/customerScenarios.ts"
import { runToEnd } from "../running/lastro.ts"
import { onPostgres } from "../running/serving.ts"
import { startDatabase } from "./Database.ts"
import { type Fault, type Scene } from "./Fault.ts"
import { dropConnections, faults as allFaults } from "./faults.ts"
import { startFleet } from "./Fleet.ts"
import { installFullDisk } from "./fullDisk.ts"
import { loanViolations } from "./loanViolations.ts"
import { markLogs } from "./logSummary.ts"
import { type PhaseOptions, type PhaseReport, runPhase } from "./phase.ts"
import { makePlan } from "./plan.ts"
import { makeTraffic } from "./Traffic.ts"

/** The options of an ordeal. */
export interface OrdealOptions extends PhaseOptions {
  /** Selects the workload, the order of the faults, and the nodes that they affect. */
  readonly seed: string
  /** The names of the faults. Each is injected at least once. */
  readonly faults: ReadonlyArray<string>
  readonly nodes: number
  /** No phase starts after this time, in milliseconds, if every fault has been injected. */
  readonly durationMs: number
  /** Receives one line of progress. */
  readonly log: (line: string) => void
}

/** The problems of a fault; empty if there are none. */
export interface FaultReport {
  readonly fault: string
  readonly report: PhaseReport | undefined
  readonly problems: ReadonlyArray<string>
}

const seconds = (ms: number | undefined): string => ms === undefined ? "never" : `${(ms / 1_000).toFixed(1)} s`

const describe = (fault: Fault, where: string, { report, problems }: FaultReport): string => {
  const head = `${fault.name} (${where})`.padEnd(28)
  if (report === undefined) return `${head} FAILED`
  const { givenUp, readyMs, served, settledMs, traffic } = report
  const { conflicts, exempt, longestMs, requests, succeeded, unavailable } = traffic
  return [
    `${head} ${problems.length === 0 ? "ok    " : "FAILED"}`,
    `${requests} requests: ${succeeded} succeeded, ${unavailable} unavailable, ${conflicts} conflicts, ${exempt} to a stopped`,
    `node; longest ${seconds(longestMs)}; ${served.length} of ${
      served.length + givenUp.length
    } customers served, after`,
    `${seconds(settledMs)};`,
    `ready after ${seconds(readyMs)}`
  ].join(" ")
}

/** Injects faults into servers under traffic, one after the other, and judges safety and liveness after each. */
export const runOrdeal = (
  { durationMs, faults: names, log, nodes: count, seed, ...phaseOptions }: OrdealOptions
): Effect.Effect<ReadonlyArray<FaultReport>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const chosen = allFaults.filter(({ name }) => names.includes(name))
    const began = performance.now()
    const random = yield* Effect.map(Random.Random, (random) => random).pipe(Random.withSeed(`${seed}/connections`))
    const database = yield* startDatabase
    const lender = yield* recordingLenderServer({ stepMs })
    const traffic = makeTraffic()
    const fleet = yield* startFleet(count, database, lender.url, () => random.nextDoubleUnsafe(), traffic)
    yield* installFullDisk(database)
    log(`${count} servers on PostgreSQL, started in ${seconds(performance.now() - began)}`)

    const customers: Array<Customer> = []
    const givenUp = new Set<string>()
    const judgeRecords = Effect.gen(function*() {
      const problems = [...yield* loanViolations(database.url(), customers, givenUp, lender.contracts())]
      const { ending, err, out } = yield* runToEnd(["check", "--live"], onPostgres(database.url()))
      if (ending !== 0) problems.push(`lastro check --live: ${out}${err}`)
      return problems
    })

    /** Replaces all processes, so that a failure does not affect the next fault. */
    const startAgain = Effect.gen(function*() {
      for (const node of fleet.nodes) if (node.isUp()) yield* node.kill
      yield* database.administer(dropConnections)
      for (const node of fleet.nodes) yield* node.start()
    })

    const reports: Array<FaultReport> = []
    const plan = yield* makePlan(chosen, count, seed)
    for (const [phase, { affectsAll, fault, seed: phaseSeed, victim: index }] of plan.entries()) {
      if (phase >= chosen.length && performance.now() - began >= durationMs) break
      const victim = fleet.nodes[index] ?? (yield* Effect.die("There is no such node."))
      const scene: Scene = { database, fleet, lender, victim, affected: affectsAll ? fleet.nodes : [victim] }
      const where = fault.subject === "database" || (fault.subject === "connections" && affectsAll)
        ? "all nodes"
        : victim.name
      const warnings = markLogs(fleet.nodes)
      const exit = yield* Effect.exit(
        Effect.scoped(runPhase(phase, fault, scene, traffic, phaseOptions)).pipe(
          Effect.timeout("5 minutes"),
          Random.withSeed(phaseSeed)
        )
      )
      const report = Exit.isSuccess(exit) ? exit.value : undefined
      customers.push(...report?.served ?? [])
      for (const id of report?.givenUp ?? []) givenUp.add(id)
      const records = yield* judgeRecords
      const problems = Exit.isSuccess(exit)
        ? [...exit.value.problems, ...records]
        : [`the phase itself failed: ${Cause.pretty(exit.cause)}`, ...records]
      const result = { fault: fault.name, report, problems }
      reports.push(result)
      log(`${seconds(performance.now() - began).padStart(8)}  ${describe(fault, where, result)}`)
      for (const problem of problems) log(`    ${problem}`)
      if (problems.length > 0) {
        for (const entry of warnings()) log(`    log: ${entry}`)
        yield* startAgain
      }
    }
    for (const node of fleet.nodes) {
      const ending = yield* node.stop
      if (ending !== 0) reports.push({ fault: "end", report: undefined, problems: [`${node.name} does not stop`] })
    }
    return reports
  })
