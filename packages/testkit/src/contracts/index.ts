export * from "./administration.ts"
export * from "./ContractSuite.ts"
export * from "./suites.ts"
