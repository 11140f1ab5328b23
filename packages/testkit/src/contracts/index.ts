export * from "./administration.ts"
export * from "./ContractSuite.ts"
export * from "./origination.ts"
export * from "./suites.ts"
