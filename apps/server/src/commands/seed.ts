import { layerSecurity } from "@lastro/adapters-http/node"
import { layer as layerPorts, migrate } from "@lastro/adapters-sql"
import { mostSeeded, seed as seedDatabase, type Seeded, type SeedOptions, vacuum } from "@lastro/seed"
import { parsePassword, PasswordHasher, SecretGenerator } from "@lastro/domain"
import { Clock, Console, Effect, Layer, Option, Redacted, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { grouped, seedProgress } from "../seedProgress.ts"
import { refused } from "./refused.ts"
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
  partners: count("partners", 1, "How many partners, in one tree"),
  users: count("users", 0, "How many users"),
  applications: count("applications", 0, "How many applications; users open them").pipe(Flag.withDefault(0)),
  seed: Flag.Int("seed").pipe(
    Flag.withDefault(1),
    Flag.withDescription("What everything is drawn from: the same numbers give the same data")
  ),
  password: Flag.Redacted("password").pipe(
    Flag.optional,
    Flag.withDescription("The password of all users, 12 to 128 characters; made up and shown when it is not given")
  )
}

/** The ports alone: what else runs beside them would wait for the seed all along. */
const ports = Layer.merge(layerPorts, layerSecurity())

/** Says what an interruption leaves behind, below the bar that stands there. */
const interruptedWith = (left: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onInterrupt(
    effect,
    () => Effect.sync(() => process.stderr.write(`${process.stderr.isTTY ? "\n" : ""}Interrupted: ${left}.\n`))
  )

const onProgress = seedProgress({
  isTerminal: process.stderr.isTTY,
  write: (text) => process.stderr.write(text)
})

/** A database in memory ends with this command, and with it what was seeded. */
const refuseMemory = Effect.flatMap(
  settings,
  ({ database }) =>
    database.kind === "pglite" && database.folder === undefined
      ? refused("LASTRO_DATA_DIR is memory: what is seeded would be gone at the end of this command.")
      : Effect.void
)

type GivenPassword = Option.Option<Redacted.Redacted>

const isPassword = (given: GivenPassword): boolean =>
  Option.isNone(given) || Result.isSuccess(parsePassword(Redacted.value(given.value)))

/** What a seed made, and by which password everybody signs in; null when the operator chose it. */
interface Summary extends Seeded, Pick<SeedOptions, "partners" | "users" | "applications"> {
  readonly password: Redacted.Redacted | null
  readonly took: number
}

const signingIn = ({ administrator, password }: Summary): string =>
  administrator === null ? "" : `
  administrator   ${administrator}
  password        ${password === null ? "as you set it" : Redacted.value(password)}, for every user`

const summary = (made: Summary): string => `
${grouped(made.partners)} partners, ${grouped(made.users)} users and ${grouped(made.applications)} applications, ${
  grouped(made.proposals)
} of them with a proposal, in ${Math.round(made.took / 1_000)} s.

  root partner    ${made.root_id}${signingIn(made)}

An API client: lastro clients create --partner ${made.root_id} --group admin
`

const seeding = Effect.fnUntraced(function*(
  { password: given, ...sizes }: Omit<SeedOptions, "passwordHash"> & {
    readonly password: GivenPassword
  }
) {
  const password = Option.isSome(given) ? given.value : yield* (yield* SecretGenerator).next
  const begun = yield* Clock.currentTimeMillis
  const seeded = Effect.gen(function*() {
    yield* migrate
    const passwordHash = yield* (yield* PasswordHasher).hash(password)
    return yield* seedDatabase({ ...sizes, passwordHash, onProgress })
  })
  const made = yield* seeded.pipe(
    Effect.catchTag("DatabaseNotEmpty", () => refused("The database is not empty: only an empty one is seeded.")),
    interruptedWith("nothing of it was kept")
  )
  yield* vacuum(onProgress).pipe(interruptedWith("everything is there, only the database's statistics are not"))
  const took = (yield* Clock.currentTimeMillis) - begun
  yield* Console.log(summary({ ...sizes, ...made, took, password: Option.isSome(given) ? null : password }))
})

/** Fills an empty database with made-up data. */
export const seed = Command.make("seed", flags, (chosen) =>
  Effect.gen(function*() {
    if (chosen.applications > 0 && chosen.users === 0) {
      return yield* refused("Users open applications: --applications needs --users of at least 1.")
    }
    if (!isPassword(chosen.password)) return yield* refused("The password has to be 12 to 128 characters.")
    yield* refuseMemory
    yield* seeding(chosen).pipe(Effect.provide(ports), withDatabase)
  })).pipe(
    Command.withDescription("Fills an empty database with made-up partners, users and applications, always the same")
  )
