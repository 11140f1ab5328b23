export * from "./openTestApi.ts"
export * from "./TestApi.ts"
