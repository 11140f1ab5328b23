import * as runner from "node:test"
import { smallMemorySuites } from "./memorySuites.ts"

smallMemorySuites(runner)
