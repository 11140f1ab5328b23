import { setSourceMapsSupport } from "node:module"
import { chai } from "vitest"

// Random examples make millions of errors and assertions. Vitest would record 100 stack frames of each error. chai would make
// a proxy for each assertion, which reports misspelt properties. TypeScript reports those, too.
Error.stackTraceLimit = 10
chai.config.useProxy = false

// Node.js runs our sources at their own lines. The source maps of dependencies would be read and parsed in each worker.
setSourceMapsSupport(false)
