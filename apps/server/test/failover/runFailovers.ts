import { Effect, type Scope } from "effect"
import { type SqlError } from "effect/sql"
import { onPostgres, startServer } from "../running/serving.ts"
import { type Cluster, startCluster } from "./Cluster.ts"
import { type Load, startLoad } from "./Load.ts"

/** A way in which the primary, or its standby, fails. */
interface Failure {
  readonly name: string
  /** Lets the primary fail, promotes the standby, runs `promoted`, ends the former primary, and lets it rejoin. */
  readonly run: (cluster: Cluster, promoted: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
}

/** The time from a failure to the promotion: the minimum that a manager of failovers needs. */
const detection = "2 seconds"

const promoteAfter = ({ promote }: Cluster) => Effect.andThen(Effect.sleep(detection), promote)

/** Every failure, in the order in which they are repeated. */
export const failures: ReadonlyArray<Failure> = [
  {
    name: "kill",
    run: (cluster, promoted) =>
      cluster.kill.pipe(
        Effect.andThen(promoteAfter(cluster)),
        Effect.andThen(promoted),
        Effect.andThen(cluster.rejoin(false))
      )
  },
  {
    name: "freeze",
    run: (cluster, promoted) =>
      Effect.gen(function*() {
        const former = cluster.primary()
        former.process.signal("SIGSTOP")
        yield* promoteAfter(cluster)
        yield* promoted
        // The former primary continues, and nobody has stopped it.
        former.process.signal("SIGCONT")
        yield* Effect.sleep("1 second")
        yield* Effect.promise(() => former.process.end("SIGKILL"))
        yield* cluster.rejoin(false)
      })
  },
  {
    name: "cut off",
    run: (cluster, promoted) =>
      Effect.gen(function*() {
        const former = cluster.primary()
        yield* Effect.scoped(Effect.gen(function*() {
          yield* former.proxy.treat({ kind: "SWALLOW", share: 1 })
          yield* promoteAfter(cluster)
          yield* promoted
        }))
        yield* Effect.sleep("1 second")
        yield* Effect.promise(() => former.process.end("SIGKILL"))
        yield* cluster.rejoin(false)
      })
  },
  {
    name: "switch over",
    run: (cluster, promoted) =>
      cluster.shutDown.pipe(
        Effect.andThen(cluster.promote),
        Effect.andThen(promoted),
        Effect.andThen(cluster.rejoin(true))
      )
  },
  {
    name: "frozen standby, then kill",
    run: (cluster, promoted) =>
      Effect.gen(function*() {
        const standby = cluster.standby()
        standby.process.signal("SIGSTOP")
        // Longer than the deadline of the statements of a worker, which must not be canceled.
        yield* Effect.sleep("8 seconds")
        yield* cluster.kill
        standby.process.signal("SIGCONT")
        yield* cluster.promote
        yield* promoted
        yield* cluster.rejoin(false)
      })
  }
]

/** The result of one failover. */
export interface Failover {
  readonly failure: string
  /** The time in milliseconds from the promotion to the first acknowledged write of each node. */
  readonly backAfter: ReadonlyArray<number>
  /** Number of partners that were acknowledged or listed, and are not stored any more. */
  readonly lost: number
  readonly problems: ReadonlyArray<string>
}

/** Counts the partners that a client has seen and that the new primary does not have. */
const countLost = (cluster: Cluster, load: Load) =>
  Effect.suspend(() => {
    // Read before the stored records: a record that is acknowledged meanwhile is not lost.
    const seen = Array.from(load.seen)
    return Effect.map(cluster.administer("select id::text as id from partner"), (rows) => {
      const stored = new Set(rows.map(({ id }) => id))
      return seen.filter((id) => !stored.has(id)).length
    })
  })

/** Runs failovers with two nodes under load, one after the other. Calls `report` after each. */
export const runFailovers = Effect.fnUntraced(function*(
  names: ReadonlyArray<string>,
  report: (failover: Failover, load: Load) => void
): Effect.fn.Return<ReadonlyArray<Failover>, SqlError.SqlError, Scope.Scope> {
  const cluster = yield* startCluster
  const environment = onPostgres(cluster.url)
  const nodes = [yield* startServer(environment), yield* startServer(environment)]
  const load = yield* startLoad(nodes)
  yield* load.quote
  return yield* Effect.forEach(names, (name) =>
    Effect.gen(function*() {
      const failure = failures.find((candidate) => candidate.name === name) ?? (yield* Effect.die(`no failure ${name}`))
      const before = load.problems.length
      let backAfter: ReadonlyArray<number> = []
      const promoted = Effect.gen(function*() {
        const since = performance.now()
        const back = yield* Effect.forEach(nodes, (_, node) => load.backAfter(node, since), { concurrency: 2 })
        backAfter = back.map((time) => Math.round(time - since))
      })
      yield* failure.run(cluster, promoted)
      yield* load.quote
      const failover: Failover = {
        failure: name,
        backAfter,
        lost: yield* countLost(cluster, load),
        problems: load.problems.slice(before)
      }
      report(failover, load)
      return failover
    }))
})
