import { administrationSuite, originationSuite } from "@lastro/testkit/contracts"
import { Layer } from "effect"
import * as runner from "vitest"
import { sqlAuditInspector } from "./audit/sqlAuditInspector.ts"
import { pglite } from "./databases.ts"

administrationSuite("PGlite", Layer.provideMerge(sqlAuditInspector, pglite()), runner, { units: "serialised" })

originationSuite("PGlite", pglite(), runner, { units: "serialised" })
