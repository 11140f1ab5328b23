export { makePatch, optionalFields, type Patch, type Patched } from "./Patch.ts"
