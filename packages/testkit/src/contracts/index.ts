export * from "./combinedSuites.ts"
export * from "./suite/ContractSuite.ts"
export { type CaseContext, type Runner } from "./suite/Runner.ts"
export * from "./suites.ts"
