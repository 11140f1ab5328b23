export { type IdempotencySlot, IdempotencyStore, type StoredAnswer } from "./IdempotencyStore.ts"
export {
  CurrentIdempotencyKey,
  IdempotencyInFlight,
  type IdempotencyKey,
  IdempotencyKeyReused,
  idempotencyWindowMs,
  once,
  readIdempotencyKey,
  type Replayed
} from "./runOnce.ts"
