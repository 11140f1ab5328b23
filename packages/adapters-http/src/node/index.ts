export * from "./layerSecurity.ts"
export * from "./mountNodeApi.ts"
