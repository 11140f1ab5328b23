import { sandboxCpf } from "@lastro/domain/adapters"
import { Effect, Exit, Fiber, Scope } from "effect"
import { join } from "node:path"
import { administrator } from "../ordeal/Administrator.ts"
import { type Database, lastro as role, startDatabase } from "../ordeal/Database.ts"
import { ask } from "../running/asking.ts"
import { customer } from "../running/Customer.ts"
import { applicationClientOf } from "../running/desk.ts"
import { running } from "../running/lastro.ts"
import { freePort } from "../running/machine.ts"
import { credentials, listening, onPostgres, type RunningServer } from "../running/serving.ts"
import { makeRotation, type Rotation } from "./Rotation.ts"

/** The options of an upgrade. A version is the folder of an installed repository. */
export interface UpgradeOptions {
  readonly older: string
  readonly newer: string
  /** The time between two changes, in milliseconds. */
  readonly calmMs: number
  /** Receives one line for each phase. */
  readonly log: (line: string) => void
}

const urlFor = (database: Database): string => `postgres://${role}@127.0.0.1:${database.port()}/${role}`

/** Runs a command of a version to its end. */
const runCommand = (folder: string, database: Database, ...args: ReadonlyArray<string>) =>
  Effect.scoped(Effect.gen(function*() {
    const command = [join(folder, "apps/server/src/main.ts"), ...args]
    const { ended, err, out } = yield* running(process.execPath, command, {
      PORT: "0",
      ...onPostgres(urlFor(database))
    })
    return { ending: yield* ended, out: out().trim(), err: err().trim() }
  }))

/** A place of the rotation in which one version after the other runs, on the same port. */
const openPlace = (name: string, database: Database, rotation: Rotation) =>
  Effect.gen(function*() {
    const port = String(yield* freePort)
    let scope = yield* Scope.make()
    let server: RunningServer | undefined
    yield* Effect.addFinalizer(() => Effect.suspend(() => Scope.close(scope, Exit.void)))
    const stop = Effect.gen(function*() {
      if (server === undefined) return
      yield* rotation.remove(server.url)
      server.kill("SIGTERM")
      yield* server.ended
      yield* Scope.close(scope, Exit.void)
    })
    const start = Effect.fnUntraced(function*(folder: string) {
      scope = yield* Scope.make()
      const environment = {
        ...credentials,
        ...onPostgres(urlFor(database)),
        LASTRO_RATE_LIMIT: "off",
        LASTRO_NODE: name,
        LASTRO_SANDBOX_STEP_MS: "300",
        PORT: port
      }
      const started = running(process.execPath, [join(folder, "apps/server/src/main.ts"), "serve"], environment)
      server = yield* Effect.flatMap(started, listening).pipe(Scope.provide(scope))
      const current = server
      while ((yield* ask(current, "/health/ready")).status !== 200) yield* Effect.sleep("100 millis")
      rotation.add(current.url)
    })
    return { start, stop, replace: (folder: string) => Effect.andThen(stop, start(folder)) }
  })

/**
 * Adds a column to every table, as expanding migrations would. The statements of running nodes must not depend on the
 * list of columns.
 */
const addColumns = (database: Database) =>
  Effect.gen(function*() {
    const tables = yield* database.administer(
      "select format('alter table %I add column of_the_future integer', relname) as statement from pg_class " +
        "where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname"
    )
    for (const { statement } of tables) yield* database.administer(String(statement))
  })

/** Customers and administrators that send requests until `isOver`. */
const traffic = (rotation: Rotation, isOver: () => boolean) => {
  const desk = applicationClientOf(rotation.send)
  const applying = (first: number) =>
    Effect.gen(function*() {
      for (let index = first; !isOver(); index += 10) {
        const behaviour = { requotes: index % 2, splitsKyc: index % 3 === 0, acceptsAll: false }
        const identity = { cpf: sandboxCpf("00", index), external_id: `upgrade-${index}` }
        yield* customer({ isUp: Effect.void }, desk, identity, behaviour).run
      }
    })
  const administering = (series: number) => {
    const { run, violations } = administrator({ nodes: [], send: rotation.send }, series)
    return Effect.andThen(run(isOver), violations)
  }
  return Effect.map(
    Effect.all([
      Effect.all([0, 1, 2, 3].map(applying), { concurrency: "unbounded" }),
      Effect.all([1, 2].map(administering), { concurrency: "unbounded" })
    ], { concurrency: "unbounded" }),
    ([, violations]) => violations.flat()
  )
}

/**
 * Upgrades two nodes under load, one after the other, and goes back in the same way. If the newer version refuses to
 * migrate while nodes of the older one are running, stops all nodes instead, and does not go back. Returns the
 * problems.
 */
export const runUpgrade = Effect.fnUntraced(function*({ calmMs, log, newer, older }: UpgradeOptions) {
  const problems: Array<string> = []
  const database = yield* startDatabase
  const rotation = makeRotation()
  const places = yield* Effect.forEach(["one", "two"], (name) => openPlace(name, database, rotation))
  for (const place of places) yield* place.start(older)
  let isOver = false
  const load = yield* Effect.forkChild(traffic(rotation, () => isOver))
  const total = { sent: 0, failed: 0 }
  const phase = Effect.fnUntraced(function*<A>(name: string, change: Effect.Effect<A>) {
    const began = performance.now()
    const result = yield* change
    const changed = performance.now() - began
    yield* Effect.sleep(calmMs)
    const { failed, failures, sent } = rotation.take()
    total.sent += sent
    total.failed += failed
    log(`${name.padEnd(44)} ${(changed / 1_000).toFixed(1)} s; ${sent} requests, ${failed} failed`)
    problems.push(...failures.map((failure) => `${name}: ${failure}`))
    return result
  })
  const changeEach = (name: string, folder: string) =>
    Effect.forEach(places, (place, index) => phase(`${name}, node ${index + 1}`, place.replace(folder)))

  yield* phase("the older version", Effect.void)
  const migrated = yield* phase("the newer version migrates", runCommand(newer, database, "migrate"))
  if (migrated.ending === 0) {
    yield* changeEach("upgrade", newer)
    yield* changeEach("way back", older)
    yield* changeEach("upgrade again", newer)
  } else {
    log(migrated.err)
    const served = yield* phase("the newer version serves", runCommand(newer, database, "serve"))
    log(served.err)
    yield* phase(
      "upgrade with a pause",
      Effect.gen(function*() {
        yield* Effect.forEach(places, ({ stop }) => stop, { concurrency: 2 })
        const { ending, err } = yield* runCommand(newer, database, "migrate")
        if (ending !== 0) problems.push(`the migration failed after the stop: ${err}`)
        yield* Effect.forEach(places, ({ start }) => start(newer), { concurrency: 2 })
      })
    )
  }
  yield* phase("every table gets a column", addColumns(database))
  isOver = true
  problems.push(...yield* Fiber.join(load))
  const checked = yield* runCommand(newer, database, "check", "--live")
  log(checked.out)
  if (checked.ending !== 0) problems.push(`lastro check --live: ${checked.out} ${checked.err}`)
  log(`In total ${total.sent} requests, ${total.failed} failed.`)
  return problems
})
