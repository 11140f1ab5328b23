import { examples } from "../../../test/rounds.ts"
import { concurrentSuites } from "./contracts/concurrentSuites.ts"
import { memorySuites } from "./contracts/memorySuites.ts"

memorySuites(concurrentSuites, examples(60))
