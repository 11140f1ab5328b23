import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, Fiber, Option } from "effect"
import { isOrdeal, rounds } from "../../../test/rounds.ts"
import { at, signIn, tokenOf } from "./running/asking.ts"
import { startCrashableServer } from "./running/CrashableServer.ts"
import { type Customer, customer } from "./running/Customer.ts"
import { databases } from "./running/databases.ts"
import { applicationClient, type Desk } from "./running/desk.ts"
import { freePort } from "./running/freePort.ts"
import { type Environment, runToEnd } from "./running/lastro.ts"

const customers = 50

/** Number of crashes of the server. */
const crashes = Math.min(Math.ceil(rounds / 5), 30)

/** Timeout of the whole test in milliseconds. */
const timeoutMs = 60_000 + 10_000 * crashes

/** The final status of each scenario, by the last two digits of the CPF. The default scenario is the most frequent. */
const scenarios = [
  ["00", "CONTRACTED"],
  ["88", "CONTRACTED"],
  ["01", "CONTRACTED"],
  ["90", "CONTRACTED"],
  ["02", "CONTRACTED"],
  ["78", "CONTRACTED"],
  ["03", "CONTRACTED"],
  ["87", "CANCELLED"],
  ["86", "CANCELLED"],
  ["89", "REJECTED"]
] as const

const scenarioOf = (index: number) => scenarios[index % scenarios.length] ?? scenarios[0]

/** The response counts after which the server crashes, in ascending order. All of them are reached. */
const crashPoints = Array.from({ length: crashes }, () => Math.random() * 4 * customers).toSorted((one, other) =>
  one - other
)

interface Contract {
  readonly proposal_id: string
  readonly payments: ReadonlyArray<number>
}

/** Lists the violated requirements of a customer at the end. */
const violationsOf = Effect.fnUntraced(function*(
  shop: Desk,
  { external_id, confirmed: { accepted, application_id, contradicted, quotes } }: Customer,
  [digits, ending]: readonly [string, string],
  contracts: ReadonlyArray<Contract>
) {
  if (application_id === undefined) return ["the application was not created"]
  const application = yield* shop.read(application_id)
  const found = at(yield* shop.search(external_id), "data") as ReadonlyArray<unknown>
  const proposal_id = at(application, "proposal_id")
  const known = at(application, "quotes") as ReadonlyArray<Record<string, unknown>>
  const offers = known.flatMap((quote) => quote["offers"] as ReadonlyArray<Record<string, unknown>>)
  const statusOf = (offer: string) => offers.find(({ offer_id }) => offer_id === offer)?.["status"]
  const payments = contracts.filter((contract) => contract.proposal_id === proposal_id).map(({ payments }) => payments)
  const expected = ending === "REJECTED" ? [] : [digits === "88" ? [1, 2] : [1]]
  const requirements: ReadonlyArray<readonly [string, boolean]> = [
    [`ends ${ending}`, at(application, "status") === ending],
    ["was created once", found.length === 1],
    ["replays responses unchanged", contradicted.length === 0],
    [
      "has every confirmed quote",
      quotes.every(({ number, quote_id }) =>
        known.some((one) => one["quote_id"] === quote_id && one["number"] === number)
      )
    ],
    [
      "keeps the confirmed acceptance",
      accepted.every((one) => one.proposal_id === proposal_id && statusOf(one.offer_id) === "ACCEPTED")
    ],
    ["has at most one accepted offer", offers.filter(({ status }) => status === "ACCEPTED").length <= 1],
    ["has one contract at the lender, and its payments", JSON.stringify(payments) === JSON.stringify(expected)]
  ]
  return requirements.filter(([, holds]) => !holds).map(([what]) => what)
})

/** Runs fifty customers against a server that is killed repeatedly. Returns the violations with their histories. */
const runCrashTest = Effect.fnUntraced(function*(database: Environment) {
  const lender = yield* recordingLenderServer({ stepMs: 100 })
  const environment = {
    ...database,
    PORT: String(yield* freePort),
    LASTRO_LENDER: "http",
    LASTRO_LENDER_URL: lender.url
  }
  // Some responses of the lender are lost, too.
  const faults = Array.from({ length: 300 }, (_, call) => call % 8 === 3 ? "LOSE" : call % 8 === 7 ? "HALF" : null)
  lender.injectFaults(...faults)
  const server = yield* startCrashableServer(environment)
  const shop = applicationClient(server, tokenOf(yield* signIn(server)))
  let steps = 0
  const simulated = Array.from({ length: customers }, (_, index) =>
    customer(
      server,
      shop,
      { cpf: sandboxCpf(scenarioOf(index)[0], index), external_id: `ordeal-${index}` },
      { requotes: index % 3, splitsKyc: index % 2 === 0, acceptsAll: index % 4 === 0 },
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
      : yield* violationsOf(shop, one, scenario, contracts)
    if (broken.length === 0) continue
    const { confirmed: { application_id }, external_id, history } = one
    problems.push(
      `Application ${application_id ?? external_id}, CPF ending in ${scenario[0]}, fails: ${broken.join(", ")}
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
  return { problems, histories: simulated.map(({ history }) => history) }
})

describe(`${customers} customers of a server that is killed ${crashes} times`, () => {
  for (const [name, database] of Object.entries(databases)) {
    // On PGlite in `pnpm ordeal` only: restart.test.ts kills a server on PGlite in every run.
    if (name === "PGlite" && !isOrdeal) continue
    it.live(
      `T42 T46 T47 T58 lose no confirmed result and get nothing twice, on ${name}`,
      () =>
        Effect.gen(function*() {
          const { histories, problems } = yield* runCrashTest(yield* database)
          assert.strictEqual(problems.join("\n"), "")
          const lost = histories.flat().filter((line) => line.endsWith("no answer"))
          assert.isAbove(lost.length, crashes)
        }),
      { timeout: timeoutMs + 60_000 }
    )
  }
})
