export { type CallerFunctions } from "./CallerFunctions.ts"
export * from "./CallOptions.ts"
export { type HostFunctions } from "./HostFunctions.ts"
export { type IdentityFunctions } from "./IdentityFunctions.ts"
export * from "./Lastro.ts"
export { type LenderFunctions } from "./LenderFunctions.ts"
export * from "./openLastro.ts"
export {
  type ApiClientSecret,
  type FirstCredentials,
  type Installed,
  type OperatorFunctions
} from "./OperatorFunctions.ts"
export * from "./UseCasePorts.ts"
