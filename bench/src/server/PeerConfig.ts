import { type GroupWithPermissions } from "@lastro/domain/identity"
import { type JSONWebKeySet } from "jose"
import { type Statements } from "./statements.ts"

/** Configuration of the Fastify server. Passed as JSON in the environment variable `PEER`. */
export interface PeerConfig {
  readonly port: number
  readonly database: string
  readonly connections: number
  readonly issuer: string
  readonly keys: JSONWebKeySet
  readonly groups: ReadonlyArray<GroupWithPermissions>
  readonly statements: Statements
}
