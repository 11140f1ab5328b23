import { chai } from "vitest"

// Vitest records 100 frames for each error, and chai makes a proxy for each assertion that reports misspelt properties, as
// TypeScript does. Properties make millions of both.
Error.stackTraceLimit = 10
chai.config.useProxy = false
