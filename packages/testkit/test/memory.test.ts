import * as runner from "vitest"
import { examples } from "../../../test/rounds.ts"
import { memorySuites } from "./contracts/memorySuites.ts"

memorySuites(runner, examples(60))
