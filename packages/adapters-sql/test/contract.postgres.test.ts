import { administrationSuite, originationSuite } from "@lastro/testkit/contracts"
import { Layer } from "effect"
import * as runner from "vitest"
import { isOrdeal } from "../../../test/rounds.ts"
import { sqlAuditInspector } from "./audit/sqlAuditInspector.ts"
import { postgres } from "./databases.ts"

// The contract suites find every fault of the broken adapters with 10 examples.
const options = { runs: isOrdeal ? 30 : 10 }

administrationSuite("PostgreSQL", Layer.provideMerge(sqlAuditInspector, postgres()), runner, options)

originationSuite("PostgreSQL", postgres(), runner, options)
