import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import { type SqlError } from "effect/sql"
import { connect, createServer, type Server, type Socket } from "node:net"
import { createSecureContext, getCACertificates, setDefaultCACertificates, TLSSocket } from "node:tls"
import { connectionFailureOf, PgDatabase } from "../../src/index.ts"
import { databaseOfFile } from "../postgres.ts"
import { certificate, privateKey } from "./certificate.ts"

const database = databaseOfFile()

interface EncryptedProxy {
  /** The URL of the database through the proxy, with this host and `sslmode`. */
  readonly url: (host: string, mode: string) => string
  /** Discards everything that is sent on all connections. */
  readonly setSilent: (isSilent: boolean) => void
  /** The number of encrypted connections so far. */
  readonly accepted: () => number
}

/** Starts a proxy that accepts the TLS connections of PostgreSQL clients, as a pooler or a managed database does. */
const startEncryptedProxy = (database: string): Effect.Effect<EncryptedProxy, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { hostname, port } = new URL(database)
    const secureContext = createSecureContext({ key: privateKey, cert: certificate })
    const sockets = new Set<Socket>()
    let isSilent = false
    let accepted = 0
    const accept = (raw: Socket): void => {
      sockets.add(raw)
      raw.on("error", () => undefined)
      // The first message is SSLRequest (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL).
      raw.once("data", () => {
        raw.write("S")
        const client = new TLSSocket(raw, { isServer: true, secureContext })
        const server = connect(Number(port), hostname)
        client.once("secure", () => accepted++)
        for (const [from, to] of [[client, server], [server, client]] as const) {
          from.on("data", (data: Buffer) => isSilent || to.write(data))
          from.on("error", () => undefined)
          from.on("close", () => to.destroy())
        }
      })
    }
    const listener = yield* Effect.acquireRelease(
      Effect.promise(() =>
        new Promise<Server>((resolve) => {
          const server = createServer(accept).listen(0, () => resolve(server))
        })
      ),
      (server) =>
        Effect.sync(() => {
          sockets.forEach((socket) => socket.destroy())
          server.close()
        })
    )
    return {
      url: (host, mode) => {
        const address = listener.address()
        const url = new URL(database)
        url.hostname = host
        url.port = String(typeof address === "object" ? address?.port : address)
        url.searchParams.set("sslmode", mode)
        return url.href
      },
      setSilent: (silent) => {
        isSilent = silent
      },
      accepted: () => accepted
    }
  })

const open = (url: string) =>
  Effect.map(
    Layer.build(Layer.fresh(PgDatabase.layer({ url, statementTimeout: "200 millis" }))),
    (context) => Context.get(context, PgClient.PgClient)
  )

const causeOf = ({ reason: { cause } }: SqlError.SqlError): string => cause instanceof Error ? cause.message : ""

describe("an encrypted connection", () => {
  it.live("is verified with the authorities of Node.js by default", () =>
    Effect.gen(function*() {
      const proxy = yield* startEncryptedProxy(database())
      const one = (url: string) => Effect.flatMap(open(url), (sql) => sql`select 1 as one`)
      const untrusted = yield* Effect.flip(one(proxy.url("localhost", "verify-full")))
      assert.strictEqual(connectionFailureOf(untrusted)?.problem, "certificate_untrusted")
      const trusted = getCACertificates("default")
      yield* Effect.acquireRelease(
        Effect.sync(() => setDefaultCACertificates([...trusted, certificate])),
        () => Effect.sync(() => setDefaultCACertificates(trusted))
      )
      for (const mode of ["require", "verify-full"]) {
        assert.deepStrictEqual(yield* one(proxy.url("localhost", mode)), [{ one: 1 }])
      }
      assert.strictEqual(proxy.accepted(), 2)
      const mismatch = yield* Effect.flip(one(proxy.url("127.0.0.1", "verify-full")))
      assert.strictEqual(connectionFailureOf(mismatch)?.problem, "certificate_host_mismatch")
    }))

  it.live("T59 is replaced if it does not respond", () =>
    Effect.gen(function*() {
      const trusted = getCACertificates("default")
      yield* Effect.acquireRelease(
        Effect.sync(() => setDefaultCACertificates([...trusted, certificate])),
        () => Effect.sync(() => setDefaultCACertificates(trusted))
      )
      const proxy = yield* startEncryptedProxy(database())
      const sql = yield* open(proxy.url("localhost", "require"))
      yield* sql`select 1`
      proxy.setSilent(true)
      assert.match(causeOf(yield* Effect.flip(sql`select 1`)), /did not respond/)
      proxy.setSilent(false)
      assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
      assert.strictEqual(proxy.accepted(), 2)
    }))
})
