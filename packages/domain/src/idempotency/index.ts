export { type IdempotencySlot, IdempotencyStore, type StoredAnswer } from "./IdempotencyStore.ts"
export {
  CurrentIdempotencyKey,
  IdempotencyInFlight,
  type IdempotencyKey,
  IdempotencyKeyReused,
  idempotencyWindowMs,
  parseIdempotencyKey,
  type ReplayRules
} from "./runOnce.ts"
