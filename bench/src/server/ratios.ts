import { median } from "../measure/quantile.ts"
import { type Operation } from "./operations.ts"
import { type Shot } from "./shoot.ts"
import { type Measured } from "./takeTurns.ts"

/** Medians of the runs of a server. Times are in milliseconds; processor times are per request. */
export interface Medians {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly node: number
  readonly postgres: number
  readonly both: number
}

/** The results of both servers under the same load. */
export interface Compared {
  readonly operation: string
  readonly kind: Operation["kind"]
  readonly connections: number
  readonly lastro: Medians
  readonly peer: Medians
  /** The ratio of Lastro's result to that of the hand-written server, as the median over the rounds. */
  readonly ratios: Medians
}

const valuesOf = ({ databaseCpu = Number.NaN, p50, p99, perSecond, serverCpu = Number.NaN }: Shot): Medians => ({
  perSecond,
  p50,
  p99,
  node: serverCpu,
  postgres: databaseCpu,
  both: serverCpu + databaseCpu
})

const names = ["perSecond", "p50", "p99", "node", "postgres", "both"] as const

const mediansBy = (of: (name: keyof Medians) => ReadonlyArray<number>): Medians => {
  const [perSecond, p50, p99, node, postgres, both] = names.map((name) => median(of(name)))
  const nothing = Number.NaN
  return {
    perSecond: perSecond ?? nothing,
    p50: p50 ?? nothing,
    p99: p99 ?? nothing,
    node: node ?? nothing,
    postgres: postgres ?? nothing,
    both: both ?? nothing
  }
}

/**
 * Compares the runs of the two servers. Each ratio compares two runs of the same round, because these follow each other
 * directly.
 */
export const compare = (
  operations: ReadonlyArray<Operation>,
  connections: ReadonlyArray<number>,
  measured: ReadonlyArray<Measured>,
  [lastro, peer]: readonly [string, string]
): ReadonlyArray<Compared> =>
  operations.flatMap(({ kind, name }) =>
    connections.map((count) => {
      const of = (server: string) =>
        measured.filter((run) => run.server === server && run.operation === name && run.connections === count)
          .map(valuesOf)
      const [ours, theirs] = [of(lastro), of(peer)]
      return {
        operation: name,
        kind,
        connections: count,
        lastro: mediansBy((value) => ours.map((run) => run[value])),
        peer: mediansBy((value) => theirs.map((run) => run[value])),
        ratios: mediansBy((value) => ours.map((run, round) => run[value] / (theirs[round]?.[value] ?? Number.NaN)))
      }
    })
  )

/**
 * Targets for Lastro, relative to the hand-written server: the minimum ratio of the requests per second, and the
 * maximum ratio of the processor time.
 */
const targets = { read: { perSecond: 0.9, both: 1.3 }, write: { perSecond: 0.8, both: Number.POSITIVE_INFINITY } }

/** Maximum processor time of Lastro's Node.js process per request, in milliseconds, by operation. */
const nodeTargets: Readonly<Record<string, number>> = { live: 0.06, partner: 0.28 }

/** Returns whether a result meets its targets. Returns undefined if it has no targets. */
export const isMet = ({ connections, kind, lastro, operation, ratios }: Compared): boolean | undefined => {
  const node = nodeTargets[operation]
  const isNodeMet = node === undefined || lastro.node <= node
  if (kind === "health") return connections === 1 ? undefined : isNodeMet
  if (connections === 1) return undefined
  const { both, perSecond } = targets[kind]
  return ratios.perSecond >= perSecond && ratios.both <= both && isNodeMet
}
