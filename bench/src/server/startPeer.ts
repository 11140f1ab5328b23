import { groups } from "@lastro/domain/access"
import { Effect } from "effect"
import { type JSONWebKeySet } from "jose"
import { join } from "node:path"
import { type PeerConfig } from "./peer/PeerConfig.ts"
import { freePort, type Served, startServer } from "./startServer.ts"

/**
 * Number of database connections of the hand-written server. It is the same as that of Lastro's API, which runs 8
 * requests at a time (`LASTRO_CONCURRENCY`), each with one connection.
 */
const connections = 8

/** Starts the hand-written server on a database of Lastro. It accepts the tokens of Lastro. */
export const startPeer = Effect.fnUntraced(function*(
  database: string,
  lastro: Served,
  env: Readonly<Record<string, string>> = {}
) {
  const port = yield* freePort
  const keys = yield* Effect.promise(async () =>
    await (await fetch(`${lastro.url}/.well-known/jwks.json`)).json() as JSONWebKeySet
  )
  const config: PeerConfig = {
    port,
    database,
    connections,
    issuer: lastro.url,
    keys,
    groups: groups.map(({ group_id, label, permissions, slug }) => ({ group_id, slug, label, permissions }))
  }
  return yield* startServer({
    name: "hand-written",
    port,
    args: [join(import.meta.dirname, "peer", "main.ts")],
    env: { PEER: JSON.stringify(config), ...env },
    ready: "/health/live"
  })
})
