import { ConnectionFailed } from "../connection/ConnectionFailed.ts"
import { isEarlier, type PrimaryIdentity } from "./SessionRole.ts"

/** A pool of this process that is connected to a cluster. */
export interface ClusterMember {
  /** Destroys the sessions with an earlier primary than this one. */
  readonly destroyEarlier: (newest: PrimaryIdentity) => void
  /** Returns whether the pool has an open session with a primary of this cluster. */
  readonly isConnectedTo: (system: string) => boolean
  /** Replaces all sessions. */
  readonly replaceAll: () => void
}

/**
 * The state of a database cluster, shared by the pools of this process. When one pool reaches a new primary, the other
 * pools destroy their sessions with the former one, because it may still answer reads.
 */
export class Cluster {
  readonly #members = new Set<ClusterMember>()
  #newest: PrimaryIdentity | undefined

  /** Adds a pool. Returns a function that removes it. */
  join(member: ClusterMember): () => void {
    this.#members.add(member)
    return () => void this.#members.delete(member)
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  /**
   * Returns an error if a session with this primary must not be used. Either the cluster has a later primary, or a pool
   * still uses another cluster. Sessions with two clusters would divide the data.
   */
  refuse({ system, timeline }: PrimaryIdentity, address: string): ConnectionFailed | undefined {
    const newest = this.#newest
    if (newest === undefined) return undefined
    if (newest.system !== system) {
      return Array.from(this.#members).some((member) => member.isConnectedTo(newest.system))
        ? new ConnectionFailed(
          "other_cluster",
          `The database at ${address} is not a copy of the one in use. Name only hosts of one cluster.`
        )
        : undefined
    }
    return timeline < newest.timeline
      ? new ConnectionFailed(
        "former_primary",
        `The database at ${address} is a former primary: its timeline is ${timeline}, and this process has used ` +
          `timeline ${newest.timeline}. Stop it and rejoin it as a standby.`
      )
      : undefined
  }

  /** Records a session with a primary that `refuse` accepted. */
  accept(primary: PrimaryIdentity): void {
    const newest = this.#newest
    if (newest !== undefined && newest.system === primary.system && !isEarlier(newest, primary)) return
    this.#newest = primary
    for (const member of this.#members) member.destroyEarlier(primary)
  }

  /** Replaces the sessions of all pools, because one session turned out to be read-only. */
  readonly replaceAll = (): void => {
    for (const member of this.#members) member.replaceAll()
  }
}

/** The clusters that pools are connected to, by their addresses. */
const clusters = new Map<string, Cluster>()

/** Returns the cluster with these addresses, with the pool added. Call `leave` when the pool ends. */
export const joinCluster = (
  addresses: string,
  member: ClusterMember
): { readonly cluster: Cluster; readonly leave: () => void } => {
  const cluster = clusters.get(addresses) ?? new Cluster()
  clusters.set(addresses, cluster)
  const remove = cluster.join(member)
  return {
    cluster,
    leave: () => {
      remove()
      if (cluster.isEmpty) clusters.delete(addresses)
    }
  }
}
