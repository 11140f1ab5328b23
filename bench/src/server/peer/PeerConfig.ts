import { type JSONWebKeySet } from "jose"

/** A group of users with its permissions. */
interface PeerGroup {
  readonly group_id: string
  readonly slug: string
  readonly label: string
  readonly permissions: ReadonlyArray<string>
}

/** The configuration of the hand-written server, which receives it as JSON in the environment variable `PEER`. */
export interface PeerConfig {
  readonly port: number
  readonly database: string
  /** Maximum number of connections to the database. */
  readonly connections: number
  readonly issuer: string
  readonly keys: JSONWebKeySet
  readonly groups: ReadonlyArray<PeerGroup>
}
