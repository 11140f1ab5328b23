export { commonFamilyName, rareFamilyName } from "./names.ts"
export { type Randomness, randomness } from "./Randomness.ts"
export {
  DatabaseNotEmpty,
  mostSeeded,
  type OnProgress,
  seed,
  type Seeded,
  type SeedOptions,
  type SeedProgress
} from "./seed.ts"
export { vacuum } from "./vacuum.ts"
