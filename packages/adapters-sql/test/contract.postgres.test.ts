import { administrationSuite, originationSuite } from "@lastro/testkit/contracts"
import { Layer } from "effect"
import * as runner from "vitest"
import { examples } from "../../../test/rounds.ts"
import { sqlAuditInspector } from "./audit/sqlAuditInspector.ts"
import { postgres } from "./databases.ts"

administrationSuite("PostgreSQL", Layer.provideMerge(sqlAuditInspector, postgres()), runner, { runs: examples(30) })

originationSuite("PostgreSQL", postgres(), runner, { runs: examples(30) })
