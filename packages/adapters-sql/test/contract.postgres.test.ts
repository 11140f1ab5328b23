import { administrationSuite, originationSuite } from "@lastro/testkit/contracts"
import { Layer } from "effect"
import { postgres } from "./databases.ts"
import { sqlAuditInspector } from "./sqlAuditInspector.ts"

administrationSuite("PostgreSQL", Layer.provideMerge(sqlAuditInspector, postgres()), { timeout: "1 minute" })

originationSuite("PostgreSQL", postgres(), { timeout: "1 minute" })
