import { type Caller } from "@lastro/domain/access"
import { CommonPasswords, PasswordHasher } from "@lastro/domain/identity"
import { type PartnerDetail } from "@lastro/domain/partner"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { type Administration, type Commissions, openAdministration, openCommissions } from "@lastro/domain/promises"
import { layerMemory, storeForest } from "@lastro/testkit"
import { Clock, Context, Effect, Layer, Redacted, Result } from "effect"
import { randomUUID } from "node:crypto"
import { layerPostgres } from "../../src/index.ts"

const start = Date.parse("2026-01-10T12:00:00Z")

/** The time of the nodes of one lane. Sleeps are real. */
interface LaneTime {
  now: number
}

const layerClock = (time: LaneTime) =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (real): Clock.Clock =>
      Object.assign(Object.create(real) as Clock.Clock, {
        currentTimeMillisUnsafe: () => time.now,
        currentTimeMillis: Effect.sync(() => time.now)
      }))
  )

/** Random ids: the clock goes back, and ids of the testkit would repeat. */
const generators = Layer.merge(
  Layer.succeed(IdGenerator, { next: Effect.sync(() => randomUUID() as never) }),
  Layer.effectContext(
    Effect.map(Layer.build(layerMemory), Context.pick(CommonPasswords, PasswordHasher, SecretGenerator))
  )
)

/** Returns the value of an answer that is not an error. */
export const ok = async <A>(answer: Promise<Result.Result<A, unknown>>): Promise<A> => Result.getOrThrow(await answer)

/** Two nodes with the same time. */
export interface Lane {
  readonly time: LaneTime
  readonly administration: Administration
  readonly nodes: readonly [Commissions, Commissions]
  /** Closes both nodes with their connections. */
  readonly close: () => Promise<void>
}

/** Opens two nodes on a database. */
export const openLane = async (url: string): Promise<Lane> => {
  const time = { now: start }
  const open = async () => {
    const ports = Layer.provideMerge(
      Layer.merge(layerPostgres({ url: Redacted.make(url), maxConnections: 3 }), generators),
      layerClock(time)
    )
    const administration = await openAdministration(ports)
    return { administration, commissions: await openCommissions(administration.layer as never) }
  }
  const [one, other] = [await open(), await open()]
  const close = async () => {
    await Promise.all([one, other].map(({ commissions }) => commissions.close()))
    await Promise.all([one, other].map(({ administration }) => administration.close()))
  }
  return { time, administration: one.administration, nodes: [one.commissions, other.commissions], close }
}

/** A new tree: the root, two partners below it, and one below each of them. */
export interface Network {
  readonly partners: readonly [string, ...ReadonlyArray<string>]
  /** An administrator of each partner. */
  readonly callers: ReadonlyArray<Caller>
}

/** Creates a tree, and sets the time to the start. */
export const openNetwork = async ({ administration, nodes: [node], time }: Lane): Promise<Network> => {
  time.now = start
  const forest: ReadonlyArray<PartnerDetail> = await ok(node.run(storeForest([null, 0, 0, 1, 2]) as never))
  const [root = "", ...others] = forest.map(({ partner_id }): string => partner_id)
  const callers = await Promise.all(
    [root, ...others].map((id) => ok(administration.callerAt(id as never, { subject: "test", group: "admin" })))
  )
  return { partners: [root, ...others], callers }
}

/** The São Paulo day of a lane, a number of days before its present one. */
export const dayOf = ({ time }: Lane, before = 0): string =>
  new Date(time.now - 3 * 3_600_000 - before * 86_400_000).toISOString().slice(0, 10)
