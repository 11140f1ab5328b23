export { makePatch, optionalFields, type Patch, type PatchResult } from "./Patch.ts"
