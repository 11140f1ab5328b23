import { layerStatusWatch } from "@lastro/domain/adapters"
import { layerMemory } from "@lastro/testkit"
import { hostTransactionsSuite } from "@lastro/testkit/contracts"
import { Layer } from "effect"
import * as runner from "vitest"
import { layerStartOnly } from "../../src/index.ts"
import { sqlAuditInspector } from "../audit/sqlAuditInspector.ts"
import { pglite, postgres } from "../databases.ts"

/** Every port of the use cases over a database. The ports that need no database are those in memory. */
const overDatabase = <P, E>(database: Layer.Layer<P, E>) =>
  Layer.merge(
    layerMemory,
    Layer.mergeAll(layerStartOnly, layerStatusWatch(), sqlAuditInspector).pipe(Layer.provideMerge(database))
  )

hostTransactionsSuite("PostgreSQL", overDatabase(postgres({ maxConnections: 1 })), runner)

hostTransactionsSuite("PGlite", overDatabase(pglite()), runner)
