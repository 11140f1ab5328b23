import { administrationSuite, originationSuite } from "@lastro/testkit/contracts"
import { Layer } from "effect"
import { pglite } from "./databases.ts"
import { sqlAuditInspector } from "./sqlAuditInspector.ts"

administrationSuite("PGlite", Layer.provideMerge(sqlAuditInspector, pglite()), {
  units: "serialised",
  timeout: "1 minute"
})

originationSuite("PGlite", pglite(), { units: "serialised", timeout: "1 minute" })
