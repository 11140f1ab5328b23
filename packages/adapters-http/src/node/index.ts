export * from "./mountNodeApi.ts"
export { type NodeRoutes, openNodeRoutes } from "./NodeRoutes.ts"
