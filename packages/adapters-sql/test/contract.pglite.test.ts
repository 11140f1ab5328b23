import { administrationSuite, originationSuite } from "@lastro/testkit/contracts"
import { Layer } from "effect"
import * as runner from "vitest"
import { pglite } from "./databases.ts"
import { sqlAuditInspector } from "./sqlAuditInspector.ts"

administrationSuite("PGlite", Layer.provideMerge(sqlAuditInspector, pglite()), runner, { units: "serialised" })

originationSuite("PGlite", pglite(), runner, { units: "serialised" })
