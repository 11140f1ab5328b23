import { endWithin } from "@lastro/domain/values"
import { type Duration, Effect, Exit, Latch, Option, Redacted, Scope } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { ConnectionFailed, type ConnectionProblem } from "../connection/ConnectionFailed.ts"
import { targetOfUrl } from "../connection/ConnectionTarget.ts"
import { type SessionAttrs } from "../connection/databaseHosts.ts"
import { toSqlError } from "../connection/describeFailure.ts"
import { type Cluster } from "./Cluster.ts"
import { Pooler } from "./Pooler.ts"
import { type ConnectionConfig, prepareSession, type ServerConnection } from "./ServerConnection.ts"
import { isPrimaryRequired, readRole, refuseRole } from "./SessionRole.ts"

export interface HostsConfig extends Omit<ConnectionConfig, "url" | "connectTimeout"> {
  /** A valid URL for each host, in the order in which they are tried. */
  readonly urls: ReadonlyArray<Redacted.Redacted>
  /** The state that a server must be in. */
  readonly sessionAttrs: SessionAttrs
  /** Maximum time to open a connection to one host. */
  readonly connectTimeout: Duration.Duration
}

/**
 * If a host has not responded after this time in milliseconds, the next host is tried, too. So a lost host delays a
 * session by this time only, and not by its timeout.
 */
const nextHostAfter = 300

/** Maximum time of a search on one host. It is short, because a frozen host must not delay the next search. */
const searchTimeout = "1500 millis"

/**
 * The problems of hosts that respond but are not the primary. They are reported before the problem of an unreachable
 * host, because they are more useful.
 */
const rolesFirst: ReadonlySet<ConnectionProblem> = new Set(["other_cluster", "former_primary", "read_only"])

interface Host {
  readonly config: ConnectionConfig
  readonly address: string
  readonly pooler: Pooler
}

const problemOf = ({ reason: { cause } }: SqlError): ConnectionFailed | undefined =>
  cause instanceof ConnectionFailed ? cause : undefined

/** Combines the errors of all hosts into one. Its message contains all of their messages. */
const combine = (errors: ReadonlyArray<SqlError>, sessionAttrs: SessionAttrs): SqlError | undefined => {
  if (errors.length < 2) return errors[0]
  const problems = errors.map(problemOf).filter((problem) => problem !== undefined)
  const main = problems.find(({ problem }) => rolesFirst.has(problem)) ?? problems[0]
  const texts = new Set(problems.map(({ message }) => message))
  return toSqlError(
    new ConnectionFailed(
      main?.problem ?? "other",
      `No host accepts a session with target_session_attrs=${sessionAttrs}. ${Array.from(texts).join(" ")}`,
      { cause: main, ...(main?.code === undefined ? {} : { code: main.code }) }
    )
  )
}

/**
 * Opens sessions on the first host in the required state. If only the primary can be in that state, the host of the
 * last session is tried first.
 */
export class Hosts {
  readonly #config: HostsConfig
  readonly #cluster: Cluster
  readonly #hosts: ReadonlyArray<Host>
  #last: Host | undefined

  constructor(config: HostsConfig, cluster: Cluster) {
    const { sessionAttrs: _, urls, ...common } = config
    this.#config = config
    this.#cluster = cluster
    this.#hosts = urls.map((url) => ({
      config: { ...common, url },
      address: targetOfUrl(Redacted.value(url)).address,
      pooler: new Pooler()
    }))
  }

  /** Opens a session. Closing the scope ends it. */
  readonly open: Effect.Effect<ServerConnection, SqlError, Scope.Scope> = Effect.suspend(() => {
    const { sessionAttrs } = this.#config
    const last = this.#last
    const hosts = last === undefined || !isPrimaryRequired(sessionAttrs)
      ? this.#hosts
      : [last, ...this.#hosts.filter((host) => host !== last)]
    if (sessionAttrs !== "prefer-standby") return this.#openFirst(hosts, sessionAttrs, nextHostAfter)
    return Effect.catch(this.#openFirst(hosts, "standby", undefined), () => this.#openFirst(hosts, "any", undefined))
  })

  /**
   * Opens and ends a session on each host and records its role, so that all pools detect a new primary. For use while
   * the current primary does not respond.
   */
  readonly search: Effect.Effect<void> = Effect.suspend(() =>
    isPrimaryRequired(this.#config.sessionAttrs) && this.#hosts.length > 1
      ? Effect.forEach(
        this.#hosts,
        (host) => endWithin(this.#visit(host), searchTimeout, Effect.void),
        { concurrency: "unbounded", discard: true }
      )
      : Effect.void
  )

  #visit(host: Host): Effect.Effect<void> {
    return Effect.ignore(Effect.scoped(this.#openOn(host, this.#config.sessionAttrs)))
  }

  #openOn(host: Host, attrs: SessionAttrs): Effect.Effect<ServerConnection, SqlError, Scope.Scope> {
    return Effect.gen({ self: this }, function*() {
      const server = yield* host.pooler.open(host.config)
      yield* prepareSession(server, host.config)
      const { connectTimeout, responseTimeout } = this.#config
      const role = yield* readRole(server, this.#hosts.length > 1 ? connectTimeout : responseTimeout)
      const { primary } = role
      const isTracked = isPrimaryRequired(attrs) && primary !== undefined
      const refusal = refuseRole(attrs, role, host.address) ??
        (isTracked ? this.#cluster.refuse(primary, host.address) : undefined)
      if (refusal !== undefined) return yield* Effect.fail(toSqlError(refusal))
      if (isTracked) {
        server.primary = primary
        this.#cluster.accept(primary)
      }
      this.#last = host
      return server
    })
  }

  /**
   * Opens a session on the first host that accepts one. Tries the next host when one fails. With `after`, also tries
   * the next host each time that this number of milliseconds has passed.
   */
  #openFirst(
    hosts: ReadonlyArray<Host>,
    attrs: SessionAttrs,
    after: number | undefined
  ): Effect.Effect<ServerConnection, SqlError, Scope.Scope> {
    const [first, ...others] = hosts
    if (first !== undefined && others.length === 0) return this.#openOn(first, attrs)
    return Effect.uninterruptibleMask((restore) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          let winner: readonly [ServerConnection, Scope.Closeable] | undefined
          const errors: Array<SqlError | undefined> = []
          // The latch of a host opens when its attempt has failed.
          const ended = hosts.map(() => Latch.makeUnsafe())
          const waitForTurn = (index: number): Effect.Effect<void> => {
            const before = ended[index - 1]?.await ?? Effect.void
            return after === undefined ? before : Effect.raceFirst(before, Effect.sleep(after * index))
          }
          // Uninterruptible, because an interruption after the opening would leave the session open.
          const attempt = (host: Host, index: number) =>
            Effect.uninterruptibleMask((restore) =>
              Effect.gen({ self: this }, function*() {
                yield* restore(waitForTurn(index))
                const scope = Scope.makeUnsafe()
                const exit = yield* Effect.exit(restore(Scope.provide(this.#openOn(host, attrs), scope)))
                if (Exit.isSuccess(exit) && winner === undefined) return winner = [exit.value, scope] as const
                yield* Scope.close(scope, exit)
                ended[index]?.openUnsafe()
                // Another host was faster.
                if (Exit.isSuccess(exit)) return yield* Effect.interrupt
                errors[index] = Option.getOrUndefined(Exit.findErrorOption(exit))
                return yield* Effect.failCause(exit.cause)
              })
            )
          return restore(Effect.raceAll(hosts.map(attempt))).pipe(
            Effect.mapError((error) => combine(errors.filter((error) => error !== undefined), attrs) ?? error),
            Effect.onExit((exit) =>
              Exit.isFailure(exit) && winner !== undefined ? Scope.close(winner[1], exit) : Effect.void
            )
          )
        }),
        ([, scope], exit) => Scope.close(scope, exit)
      )
    ).pipe(Effect.map(([server]) => server))
  }
}
