import { administrationSuite, originationSuite } from "@lastro/testkit/suites"
import { Layer } from "effect"
import { isOrdeal } from "../../../test/rounds.ts"
import { concurrentSuites } from "../../testkit/test/suites/concurrentSuites.ts"
import { sqlInspectors } from "./audit/sqlAuditInspector.ts"
import { postgres } from "./databases.ts"

// The contract suites find every fault of the broken adapters with 10 examples.
const options = { runs: isOrdeal ? 30 : 10 }

// Three cases wait until the lock timeout.
const administration = Layer.provideMerge(sqlInspectors, postgres({ lockTimeout: "1 second" }))

administrationSuite("PostgreSQL", administration, concurrentSuites, options)

originationSuite("PostgreSQL", postgres(), concurrentSuites, options)
