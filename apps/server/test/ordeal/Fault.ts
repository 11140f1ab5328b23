import { type RecordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, type Scope } from "effect"
import { type Treatment } from "../running/proxiedPair.ts"
import { type Database } from "./Database.ts"
import { type Fleet, type Node } from "./Fleet.ts"

/** The processes that a fault affects. */
export interface Scene {
  readonly database: Database
  readonly fleet: Fleet
  readonly lender: RecordingLenderServer
  /** The nodes whose connections to the database the fault affects: one of them, or all. */
  readonly affected: ReadonlyArray<Node>
  /** The node that the fault affects, if it affects a process. */
  readonly victim: Node
}

/** A fault. It lasts until the scope closes, which heals it. */
export interface Fault {
  readonly name: string
  /** The subject of the fault: the connections of the affected nodes, the process of one node, or the database of all. */
  readonly subject: "connections" | "database" | "process"
  readonly summary: string
  readonly strike: (scene: Scene) => Effect.Effect<void, never, Scope.Scope>
}

/** Makes a fault of the connections between nodes and the database. */
export const onConnections = (name: string, summary: string, treatment: Treatment): Fault => ({
  name,
  summary,
  subject: "connections",
  strike: ({ affected }) => Effect.forEach(affected, ({ proxy }) => proxy.treat(treatment), { discard: true })
})

/** Makes a fault of the process of one node. */
export const onProcess = (
  name: string,
  summary: string,
  begin: (node: Node) => Effect.Effect<void>,
  heal: (node: Node) => Effect.Effect<void>
): Fault => ({
  name,
  summary,
  subject: "process",
  strike: ({ victim }) => Effect.acquireRelease(begin(victim), () => heal(victim))
})

/** Makes a fault of the database. */
export const onDatabase = (
  name: string,
  summary: string,
  begin: (database: Database, fleet: Fleet) => Effect.Effect<void>,
  heal: (database: Database, fleet: Fleet) => Effect.Effect<void>
): Fault => ({
  name,
  summary,
  subject: "database",
  strike: ({ database, fleet }) => Effect.acquireRelease(begin(database, fleet), () => heal(database, fleet))
})
