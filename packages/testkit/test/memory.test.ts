import * as runner from "vitest"
import { memorySuites } from "./contracts/memorySuites.ts"

memorySuites(runner, 60)
