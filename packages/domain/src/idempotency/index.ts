export { type IdempotencySlot, IdempotencyStore, type StoredAnswer } from "./IdempotencyStore.ts"
export {
  IdempotencyInFlight,
  type IdempotencyKey,
  IdempotencyKeyReused,
  idempotencyWindowMs,
  type Once,
  parseIdempotencyKey,
  type ReplayRules,
  type SentKey
} from "./runOnce.ts"
