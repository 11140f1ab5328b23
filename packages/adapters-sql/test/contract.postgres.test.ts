import { administrationSuite, originationSuite } from "@lastro/testkit/contracts"
import { Layer } from "effect"
import * as runner from "vitest"
import { sqlAuditInspector } from "./audit/sqlAuditInspector.ts"
import { postgres } from "./databases.ts"

administrationSuite("PostgreSQL", Layer.provideMerge(sqlAuditInspector, postgres()), runner)

originationSuite("PostgreSQL", postgres(), runner)
