export * from "./ContractSuite.ts"
export * from "./suites.ts"
