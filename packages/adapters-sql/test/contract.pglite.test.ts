import { administrationSuite, originationSuite } from "@lastro/testkit/suites"
import { Layer } from "effect"
import { isOrdeal } from "../../../test/rounds.ts"
import { concurrentSuites } from "../../testkit/test/suites/concurrentSuites.ts"
import { sqlInspectors } from "./audit/sqlAuditInspector.ts"
import { pglite } from "./databases.ts"

// The properties run with more examples on memory and PostgreSQL. The SQL is the same.
const options = { runs: isOrdeal ? 30 : 2, units: "serialised" } as const

administrationSuite("PGlite", Layer.provideMerge(sqlInspectors, pglite()), concurrentSuites, options)

originationSuite("PGlite", pglite(), concurrentSuites, options)
