import * as runner from "node:test"
import { memorySuites } from "./memorySuites.ts"

memorySuites(runner, 1)
