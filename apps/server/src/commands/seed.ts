import { layerSecurity } from "@lastro/adapters-http/security"
import { layer as layerPorts, migrate } from "@lastro/adapters-sql"
import { isCommonPassword, judgePassword, parsePassword, PasswordHasher } from "@lastro/domain/identity"
import { SecretGenerator } from "@lastro/domain/ports"
import { mostSeeded, seed as seedDatabase, type Seeded, type SeedOptions, vacuum } from "@lastro/seed"
import { Clock, Effect, Layer, Option, Redacted, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { json, printRecord } from "./records.ts"
import { refuse } from "./refused.ts"
import { formatCount, printProgress } from "./seedProgress.ts"
import { settings, withDatabase } from "./withPorts.ts"

const count = (name: string, least: number, description: string) =>
  Flag.Int(name).pipe(
    Flag.withDescription(description),
    Flag.filter(
      (value) => value >= least && value <= mostSeeded,
      () => `from ${least} to ${mostSeeded}`
    )
  )

const flags = {
  partners: count("partners", 1, "Number of partners, all in one tree"),
  users: count("users", 0, "Number of users"),
  applications: count("applications", 0, "Number of applications, opened by users").pipe(Flag.withDefault(0)),
  seed: Flag.Int("seed").pipe(
    Flag.withDefault(1),
    Flag.withDescription("Seed of the random data. The same seed and counts produce the same data on the same day")
  ),
  json,
  password: Flag.Redacted("password").pipe(
    Flag.optional,
    Flag.withDescription("Password of all users, 12 to 128 characters. Default: a random one, which is printed")
  )
}

/** Provides the ports without a worker, so that no durable job runs during the seed. */
const ports = Layer.merge(layerPorts, layerSecurity())

/** If the effect is interrupted, prints the state of the database below the progress bar. */
const reportInterruption = (state: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onInterrupt(
    effect,
    () => Effect.sync(() => process.stderr.write(`${process.stderr.isTTY ? "\n" : ""}Interrupted: ${state}.\n`))
  )

const onProgress = printProgress({
  isTerminal: process.stderr.isTTY,
  write: (text) => process.stderr.write(text)
})

/** Fails if the database is in memory, because its data would be lost when the command ends. */
const refuseMemory = Effect.flatMap(
  settings,
  ({ database }) =>
    database.kind === "pglite" && database.folder === undefined
      ? refuse(
        "LASTRO_DATA_DIR is memory: the data would be lost when this command ends. Set LASTRO_DATA_DIR or DATABASE_URL."
      )
      : Effect.void
)

type PasswordFlag = Option.Option<Redacted.Redacted>

const isAcceptable = (password: PasswordFlag): boolean =>
  Option.isNone(password) || Result.isSuccess(parsePassword(Redacted.value(password.value)))

/** Fails if the password that all users share is easy to guess. */
const refuseGuessable = Effect.fnUntraced(function*(password: PasswordFlag) {
  if (Option.isNone(password)) return
  const isCommon = yield* isCommonPassword(Redacted.value(password.value))
  const verdict = judgePassword(Redacted.value(password.value), { isCommon, personal: [] })
  if (Result.isFailure(verdict)) {
    return yield* refuse("The password must not be a common password or one repeated character.")
  }
})

interface Summary extends Seeded, Pick<SeedOptions, "partners" | "users" | "applications"> {
  /** The generated password. Null if the operator chose it. */
  readonly password: Redacted.Redacted | null
  readonly milliseconds: number
}

const formatCredentials = ({ administrator, password }: Summary): string =>
  administrator === null ? "" : `
  administrator   ${administrator}
  password        ${password === null ? "as you set it" : Redacted.value(password)}, for every user`

const formatSummary = (summary: Summary): string => `
${formatCount(summary.partners)} partners, ${formatCount(summary.users)} users and ${
  formatCount(summary.applications)
} applications, ${formatCount(summary.proposals)} of them with a proposal, in ${
  Math.round(summary.milliseconds / 1_000)
} s.

  root partner    ${summary.root_id}${formatCredentials(summary)}

An API client: lastro clients create --partner ${summary.root_id} --group admin
`

const runSeed = Effect.fnUntraced(function*(
  { json, password: chosen, ...sizes }: Omit<SeedOptions, "passwordHash"> & {
    readonly json: boolean
    readonly password: PasswordFlag
  }
) {
  const password = Option.isSome(chosen) ? chosen.value : yield* (yield* SecretGenerator).next
  const startedAt = yield* Clock.currentTimeMillis
  const fillDatabase = Effect.gen(function*() {
    yield* migrate
    const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(Redacted.value(password).normalize("NFC")))
    return yield* seedDatabase({ ...sizes, passwordHash, onProgress })
  })
  const seeded = yield* fillDatabase.pipe(
    Effect.catchTag("DatabaseNotEmpty", () => refuse("The database is not empty. Seed an empty database.")),
    reportInterruption("the database is unchanged")
  )
  yield* vacuum(onProgress).pipe(
    reportInterruption("all data is stored, but the database's statistics are missing. Run VACUUM ANALYZE")
  )
  const milliseconds = (yield* Clock.currentTimeMillis) - startedAt
  const summary = { ...sizes, ...seeded, milliseconds, password: Option.isSome(chosen) ? null : password }
  yield* printRecord(
    json,
    { ...summary, password: summary.password === null ? null : Redacted.value(summary.password) },
    formatSummary(summary)
  )
})

export const seed = Command.make("seed", flags, (chosen) =>
  Effect.gen(function*() {
    if (chosen.applications > 0 && chosen.users === 0) {
      return yield* refuse("Applications are opened by users. Set --users to at least 1.")
    }
    if (!isAcceptable(chosen.password)) return yield* refuse("The password must have 12 to 128 characters.")
    yield* refuseMemory
    yield* Effect.andThen(refuseGuessable(chosen.password), runSeed(chosen)).pipe(Effect.provide(ports), withDatabase)
  })).pipe(
    Command.withDescription("Fill an empty database with made-up partners, users and applications, for an evaluation"),
    Command.withShortDescription("Fill an empty database with made-up data"),
    Command.withExamples([{
      command: "lastro seed --partners 1000 --users 10000 --applications 5000",
      description: "Fill the embedded database in .data"
    }])
  )
