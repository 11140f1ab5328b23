import { examples } from "../../../test/rounds.ts"
import { concurrentSuites } from "./suites/concurrentSuites.ts"
import { memorySuites } from "./suites/memorySuites.ts"

memorySuites(concurrentSuites, examples(30))
