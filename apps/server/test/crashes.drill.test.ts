import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, Fiber, Option } from "effect"
import { isOrdeal, rounds } from "../../../test/rounds.ts"
import { signIn, tokenOf } from "./running/asking.ts"
import { startCrashableServer } from "./running/CrashableServer.ts"
import { customer } from "./running/Customer.ts"
import { customerViolations, leavesAfterMs, scenarioOf, stepMs } from "./running/customerScenarios.ts"
import { databases } from "./running/databases.ts"
import { applicationClient } from "./running/desk.ts"
import { type Environment, runToEnd } from "./running/lastro.ts"
import { freePort } from "./running/machine.ts"

/** Number of customers: each scenario is used at least once, in the long form six times. */
const customers = isOrdeal ? 140 : 25

/** Number of crashes of the server. */
const crashes = Math.min(Math.ceil(rounds / 3), 30)

/** Timeout of the whole test in milliseconds. */
const timeoutMs = 60_000 + 20_000 * crashes

/** The response counts after which the server crashes, in ascending order. All of them are reached. */
const crashPoints = Array.from({ length: crashes }, () => Math.random() * 4 * customers).toSorted((one, other) =>
  one - other
)

/** Runs the customers against a server that is killed repeatedly. Returns the violations with their histories. */
const runCrashTest = Effect.fnUntraced(function*(database: Environment) {
  const lender = yield* recordingLenderServer({ stepMs })
  const environment = {
    ...database,
    PORT: String(yield* freePort),
    LASTRO_LENDER: "http",
    LASTRO_LENDER_URL: lender.url
  }
  // Some responses of the lender are lost, too.
  const faults = Array.from(
    { length: 6 * customers },
    (_, call) => call % 8 === 3 ? "LOSE" : call % 8 === 7 ? "HALF" : null
  )
  lender.injectFaults(...faults)
  const server = yield* startCrashableServer(environment)
  const shop = applicationClient(server, tokenOf(yield* signIn(server)))
  let steps = 0
  const simulated = Array.from({ length: customers }, (_, index) =>
    customer(
      server,
      shop,
      { cpf: sandboxCpf(scenarioOf(index).digits, index), external_id: `crash-${index}` },
      {
        requotes: index % 3,
        splitsKyc: index % 2 === 0,
        acceptsAll: index % 4 === 0,
        leaves: scenarioOf(index).leaves,
        leavesAfterMs: leavesAfterMs(index)
      },
      () => {
        steps++
      }
    ))
  const crashing = yield* Effect.forkScoped(Effect.forEach(crashPoints, (crashPoint) =>
    Effect.gen(function*() {
      yield* Effect.repeat(Effect.sleep("1 millis"), { until: () => steps > crashPoint })
      yield* Effect.sleep(Math.random() ** 2 * 20)
      yield* server.crash
    }), { discard: true }))
  const ended = yield* Effect.forEach(
    simulated,
    ({ run }) => Effect.timeoutOption(run, timeoutMs),
    // The maximum number of long polls per caller.
    { concurrency: 20 }
  )
  yield* Fiber.join(crashing)

  const problems: Array<string> = []
  const contracts = lender.contracts()
  for (const [index, one] of simulated.entries()) {
    const scenario = scenarioOf(index)
    const broken = Option.isNone(ended[index] ?? Option.none())
      ? ["comes to an end"]
      : yield* customerViolations(shop, one, scenario, contracts)
    if (broken.length === 0) continue
    const { confirmed: { application_id }, external_id, history } = one
    problems.push(
      `Application ${application_id ?? external_id}, CPF ending in ${scenario.digits}, leaves ${
        String(scenario.leaves)
      }, fails: ${broken.join(", ")}
  ${history.join("\n  ")}`
    )
  }
  const made = contracts.map(({ proposal_id }) => proposal_id)
  const confirmedIds = new Set(
    simulated.flatMap(({ confirmed }) => confirmed.accepted.map(({ proposal_id }) => proposal_id))
  )
  for (const id of made) {
    if (!confirmedIds.has(id)) problems.push(`The lender has a contract ${id} that was not confirmed to any customer`)
  }
  server.current().kill("SIGTERM")
  yield* server.current().ended
  const { out } = yield* runToEnd(["check"], environment)
  if (out !== "Every invariant holds.\n") problems.push(out)
  const lines = simulated.flatMap(({ history }) => history)
  const requested = simulated.flatMap(({ confirmed }) => confirmed.requested.slice(0, 1))
  const count = <A>(list: ReadonlyArray<A>, isIt: (one: A) => boolean) => list.filter(isIt).length
  return {
    problems,
    figures: {
      crashes,
      customers,
      lostAnswers: count(lines, (line) => line.endsWith("no answer")),
      lenderCalls: lender.calls.length,
      contracts: contracts.length,
      cancellations: count(requested, (request) => request === "CANCEL"),
      cancelledContracts: count(contracts, ({ status }) => status === "CANCELLED"),
      cancelledBeforeSubmission: lender.barred().length,
      withdrawals: count(requested, (request) => request === "WITHDRAW"),
      refundedContracts: count(contracts, ({ status }) => status === "REFUNDED")
    }
  }
})

describe(`${customers} customers of a server that is killed ${crashes} times`, () => {
  for (const [name, database] of Object.entries(databases)) {
    // On PGlite in `pnpm ordeal:races` only: restart.drill.test.ts kills a server on PGlite in every run.
    if (name === "PGlite" && !isOrdeal) continue
    it.live(
      `T42 T46 T47 T58 lose no confirmed result and get nothing twice, on ${name}`,
      () =>
        Effect.gen(function*() {
          const { figures, problems } = yield* runCrashTest(yield* database)
          if (isOrdeal) yield* Effect.log(`${problems.length} violations`, figures)
          assert.strictEqual(problems.join("\n"), "")
          assert.isAbove(figures.lostAnswers, crashes)
          assert.isAbove(figures.cancellations, 0)
        }),
      { timeout: timeoutMs + 60_000 }
    )
  }
})
