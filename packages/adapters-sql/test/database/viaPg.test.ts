import { PgClient } from "@effect/sql-pg"
import { applicationRepositorySuite, auditLogSuite, userRepositorySuite } from "@lastro/testkit/suites"
import { Effect, Layer, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import * as runner from "vitest"
import { isOrdeal } from "../../../../test/rounds.ts"
import { ClientConnection } from "../../src/database/client/ClientConnection.ts"
import { layer, migrate } from "../../src/index.ts"
import { sqlAuditInspector } from "../audit/sqlAuditInspector.ts"
import { freshDatabase, makePool } from "../postgres.ts"

/** A client whose statements all run through `pg`, as in a transaction of the host. */
const layerViaPg = Layer.effect(
  SqlClient.SqlClient,
  Effect.gen(function*() {
    const url = yield* freshDatabase
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => makePool({ connectionString: url, options: "-c TimeZone=UTC -c lock_timeout=500" })),
      (one) => Effect.promise(() => one.end())
    )
    const acquirer: Effect.Effect<ClientConnection, SqlError.SqlError, Scope.Scope> = Effect.map(
      Effect.acquireRelease(
        Effect.promise(() => pool.connect()),
        (client) => Effect.sync(() => client.release())
      ),
      (client) => new ClientConnection(client, () => Effect.die("unused"), 20_000)
    )
    return yield* SqlClient.make({
      acquirer,
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      beginTransaction: "begin",
      rollback: "rollback",
      commit: "commit",
      spanAttributes: []
    })
  })
).pipe(Layer.provide(Reactivity.layer))

const viaPg = () => Layer.provideMerge(layer, Layer.provideMerge(Layer.effectDiscard(migrate), layerViaPg))

// This suite reads every type of column and sends every type of parameter. `pnpm ordeal:races` runs two more.
applicationRepositorySuite("pg", viaPg(), runner, { runs: 2 })
if (isOrdeal) {
  userRepositorySuite("pg", viaPg(), runner, { runs: 2 })
  auditLogSuite("pg", Layer.provideMerge(sqlAuditInspector, viaPg()), runner, { runs: 2 })
}
