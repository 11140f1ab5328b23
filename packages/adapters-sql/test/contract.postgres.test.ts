import { administrationSuite, originationSuite } from "@lastro/testkit/contracts"
import { Layer } from "effect"
import * as runner from "vitest"
import { postgres } from "./databases.ts"
import { sqlAuditInspector } from "./sqlAuditInspector.ts"

administrationSuite("PostgreSQL", Layer.provideMerge(sqlAuditInspector, postgres()), runner)

originationSuite("PostgreSQL", postgres(), runner)
