import {
  checkInvariants,
  checkLawfulness,
  checkLiveness,
  CheckProgress,
  checkWork,
  grantToNodes,
  layerStartOnly,
  migrateWith,
  type RaisedAlarm,
  readAlarms,
  readWorkStatus,
  type Repair,
  repairInvariants,
  type WorkStatus
} from "@lastro/adapters-sql"
import { monotonicMillis } from "@lastro/domain/values"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { codesOf } from "../settings/lender.ts"
import { fillEmpty } from "./fillEmpty.ts"
import { OperatorTerminal, withStep } from "./OperatorTerminal.ts"
import { json, printRecord } from "./records.ts"
import { reportFinding } from "./refused.ts"
import { settings, withDatabase, withPorts } from "./withPorts.ts"

const stopTheWorld = Flag.Boolean("stop-the-world").pipe(
  Flag.withDescription(
    "Also apply migrations that nodes of an older version do not support while such nodes are running. They stop " +
      "serving"
  ),
  Flag.withDefault(false)
)

const grant = Flag.String("grant").pipe(
  Flag.withDescription("Role of the nodes. Also grant it the privileges that a node needs"),
  Flag.optional
)

export const migrate = Command.make(
  "migrate",
  { grant, json, stopTheWorld },
  ({ grant, json, stopTheWorld }) =>
    Effect.gen(function*() {
      const { database } = yield* settings
      // Only this process can open an embedded database, so no node of an older version can be running.
      const applied = yield* withStep("Migrating")(
        migrateWith({ stopTheWorld: stopTheWorld || database.kind === "pglite" })
      )
      if (Option.isSome(grant)) yield* grantToNodes(grant.value)
      const lines = [
        ...applied.map(([id, name]) => `applied ${id} ${name}`),
        "The schema is up to date.",
        ...Option.isSome(grant) ? [`The role ${grant.value} has the privileges of a node.`] : []
      ]
      yield* printRecord(
        json,
        {
          applied: applied.map(([id, name]) => ({ id, name })),
          ...Option.isSome(grant) ? { granted_to: grant.value } : {}
        },
        lines.join("\n")
      )
    }).pipe(withDatabase)
).pipe(
  Command.withDescription(
    "Apply all pending migrations to the database and print them. Fails and changes nothing if a migration would " +
      "break running nodes of an older version. See docs/upgrading.md."
  ),
  Command.withShortDescription("Apply pending migrations to the database"),
  Command.withExamples([{
    command: "DATABASE_URL=postgres://lastro:secret@localhost/lastro lastro migrate",
    description: "Migrate a PostgreSQL database"
  }, {
    command: "DATABASE_URL=postgres://lastro_owner:secret@localhost/lastro lastro migrate --grant lastro_node",
    description: "Migrate as the owner of the tables, for nodes with the role lastro_node"
  }])
)

/** Creates the initial records in an empty database. `serve` also does this at its start. */
export const bootstrap = Command.make("bootstrap", { json }, ({ json }) =>
  Effect.gen(function*() {
    const read = yield* settings
    const isTTY = process.stdout.isTTY && !json
    const lines: Array<string> = []
    const filled = yield* fillEmpty(read, { isTTY, write: (text) => lines.push(text) })
    yield* printRecord(json, filled, filled ? lines.join("") : "The database is not empty. Nothing was changed.")
  }).pipe(Effect.provide(layerStartOnly), withPorts)).pipe(
    Command.withDescription(
      "Create a root partner, an administrator and an API client in an empty database and print their credentials. " +
        "If standard output is not a terminal, and with --json, generated secrets are written to a file that only this user can read. " +
        "Does nothing if the database is not empty. The LASTRO_BOOTSTRAP_* variables set the credentials."
    ),
    Command.withShortDescription("Create the first administrator and API client in an empty database"),
    Command.withExamples([{
      command: "LASTRO_BOOTSTRAP_ADMIN_EMAIL=ana@example.com lastro bootstrap",
      description: "Set the e-mail address of the administrator and generate the rest"
    }])
  )

const live = Flag.Boolean("live").pipe(
  Flag.withDescription("Also verify that the nodes make progress. Takes up to 5 seconds"),
  Flag.withDefault(false)
)

const repair = Flag.Boolean("repair").pipe(
  Flag.withDescription(
    "Rebuild derived data that violates an invariant, and check again. Changes no fact, except external ids that an " +
      "erasure left"
  ),
  Flag.withDefault(false)
)

/** Describes the job table and the nodes in one line. */
const describeWork = ({ due, failing, nodes, oldest_due_seconds, running, waiting }: WorkStatus): string => {
  const jobs = [`${running} running`, `${due} due`, `${waiting} waiting`, `${failing} failing`]
  const oldest = oldest_due_seconds === null ? "" : `; the oldest has been due for ${oldest_due_seconds} s`
  return `Jobs: ${jobs.join(", ")}${oldest}. Nodes: ${nodes.length === 0 ? "none" : nodes.join(", ")}.`
}

/** Describes an alarm of a node. An alarm is not a violated invariant. */
const describeAlarm = ({ alarm }: RaisedAlarm): string => {
  if (alarm === "UNTRUSTED_PROXY") {
    return "a request was forwarded by a peer that is not in LASTRO_TRUSTED_PROXIES. If the peer is your proxy, add its " +
      "address: all clients behind it share one rate limit. The alarm ends a day after the last such request, or with " +
      "the process."
  }
  if (alarm === "LENDER_LEFT:?") {
    return "jobs of records that name no lender wait. Such records belong to the only lender of an installation: set " +
      "LASTRO_LENDER instead of LASTRO_LENDERS until their work is finished."
  }
  const code = alarm.slice("LENDER_LEFT:".length)
  return `the lender ${code} is not in the settings, and its jobs wait. Add it to LASTRO_LENDERS again until its work is ` +
    "finished, for example as draining."
}

/**
 * Returns the pause of a check after a part that took `pieceMs`: twice that time, at most 2 s. So the nodes have most
 * of the database's time.
 */
const pauseAfter = (pieceMs: number): number => Math.min(2 * pieceMs, 2_000)

/** Shows a step with its progress on the terminal, and pauses between its parts. */
const withProgress = (step: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function*() {
    const { showStep } = yield* OperatorTerminal
    let since = yield* monotonicMillis
    const report = Effect.fnUntraced(function*(progress: string) {
      yield* showStep(`${step}: ${progress}`)
      yield* Effect.sleep(pauseAfter((yield* monotonicMillis) - since))
      since = yield* monotonicMillis
    })
    return yield* withStep(step)(Effect.provideService(effect, CheckProgress, report))
  })

const checkStored = Effect.map(
  Effect.all([
    withProgress("Checking the stored data")(checkInvariants),
    withProgress("Checking the durable jobs")(checkWork)
  ]),
  (findings) => findings.flat()
)

const describeRepairs = (repairs: ReadonlyArray<Repair>): ReadonlyArray<string> =>
  repairs.length === 0
    ? ["Nothing could be rebuilt."]
    : repairs.map(({ count, repair }) => `Rebuilt: ${repair} (${count})`)

/**
 * Checks the invariants of the stored data. With `--repair`, rebuilds derived data if an invariant is violated, and
 * checks again. With `--live`, also checks that the nodes make progress.
 */
export const check = Command.make("check", { json, live, repair }, ({ json, live, repair }) =>
  Effect.gen(function*() {
    const first = yield* checkStored
    const repairs = repair && first.length > 0
      ? yield* withProgress("Rebuilding derived data")(repairInvariants)
      : undefined
    const violations = [
      ...repairs === undefined ? first : yield* checkStored,
      ...live ? yield* withStep("Checking the nodes")(checkLiveness) : []
    ]
    const unlawful = yield* withProgress("Checking the contracts")(checkLawfulness)
    const raised = yield* readAlarms(codesOf((yield* settings).lenders))
    const work = live ? yield* readWorkStatus : null
    const holds = live ? "Every invariant holds, and the nodes make progress." : "Every invariant holds."
    const lines = [
      ...repairs === undefined ? [] : describeRepairs(repairs),
      ...violations.map(({ count, examples, invariant }) =>
        `Violated: ${invariant} (${count}, for example ${examples.join("; ")})`
      ),
      ...unlawful.map(({ count, examples, invariant }) =>
        `Unlawful: ${invariant} (broken by ${count}, for example ${examples.join("; ")})`
      ),
      ...raised.map((alarm) => `Alarm${alarm.node === null ? "" : ` of ${alarm.node}`}: ${describeAlarm(alarm)}`),
      ...work === null ? [] : [describeWork(work)],
      ...violations.length === 0 ? [holds] : []
    ]
    yield* printRecord(json, { violations, unlawful, alarms: raised, work, repairs: repairs ?? null }, lines.join("\n"))
    if (violations.length > 0) {
      return yield* reportFinding(`The database violates ${violations.length} of its invariants.`)
    }
  }).pipe(withDatabase)).pipe(
    Command.withDescription(
      "Verify the invariants of the stored data and print every violation. With --live, also verify that the nodes " +
        "run, fetch due jobs, and update the counts. With --repair, rebuild what can be derived from the stored " +
        "facts: columns, counts, the hierarchy index and missing jobs; without it, change nothing. Also lists the " +
        "contracts that broke a rule of the domain on the day of their acceptance; they do not change the exit code. " +
        "Exits with 1 if an invariant is violated, or is still violated after the repair."
    ),
    Command.withShortDescription("Verify the invariants of the stored data"),
    Command.withExamples([
      { command: "lastro check", description: "Check the embedded database in .data" },
      {
        command: "DATABASE_URL=postgres://lastro:secret@localhost/lastro lastro check --live",
        description: "Check a database and the nodes that work on it"
      },
      { command: "lastro check --repair", description: "Rebuild derived data that violates an invariant" }
    ])
  )
