import { Effect, type Result } from "effect"
import { RequestId } from "../audit/AuditLog.ts"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { type NotFound } from "../hierarchy/Scope.ts"
import { existingId } from "../id/existingId.ts"
import { CurrentIdempotencyKey } from "../idempotency/once.ts"
import { readIdempotencyKey } from "../idempotency/readIdempotencyKey.ts"
import { ClientAddress } from "../identity/verifySecret.ts"
import { type RawQuery } from "../paging/RawQuery.ts"
import { anyState, type Precondition } from "../transaction/Precondition.ts"
import { canonicalJson } from "../validation/canonicalJson.ts"
import { isSame } from "../validation/isSame.ts"
import { type CallOptions, type ChangeOptions, type CreateOptions, type Query } from "./CallOptions.ts"

/** Runs an effect over open ports, and gives what it comes to as a value. */
export type Run<P> = <A, E>(effect: Effect.Effect<A, E, P>, options?: CallOptions) => Promise<Result.Result<A, E>>

/** Tells the use cases what is known about a call. */
export const told = ({ client_address, request_id }: CallOptions) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const before = { address: yield* ClientAddress, request: yield* RequestId }
    return yield* effect.pipe(
      Effect.provideService(ClientAddress, client_address ?? before.address),
      Effect.provideService(RequestId, request_id ?? before.request)
    )
  })

/** Uses what was permitted, or is refused. */
export const permitted = <P, F, A, E, R>(
  permit: Result.Result<P, F>,
  use: (allowed: P) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | F, R> => Effect.flatMap(Effect.fromResult(permit), use)

/** Uses what was permitted on the record that an id names, or is refused, for want of permission first. */
export const permittedOn = <P, F, Id extends string, A, E, R>(
  permit: Result.Result<P, F>,
  id: string,
  use: (allowed: P, id: Id) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | F | NotFound, R> =>
  permitted(permit, (allowed) => identified(id, (known: Id) => use(allowed, known)))

/** Uses the id that a text names. */
export const identified = <Id extends string, A, E, R>(
  text: string,
  use: (id: Id) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | NotFound, R> => Effect.flatMap(Effect.fromResult(existingId<Id>(text)), use)

/** Does at most once per key what an operation was asked for. */
export const keyed =
  (operation: string, asked: ReadonlyArray<unknown>, options: CreateOptions | undefined) =>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R | PersonalDataHasher> => {
    const key = options?.idempotency_key
    return key === undefined ? effect : Effect.gen(function*() {
      const fingerprint = yield* (yield* PersonalDataHasher).hash(canonicalJson([operation, ...asked]))
      const read = readIdempotencyKey(key, "idempotency_key", () => fingerprint)
      return yield* Effect.provideService(effect, CurrentIdempotencyKey, read)
    })
  }

/** Whether a record is still the one that a change was based on. */
export const basedOn = <A>(options: ChangeOptions<A> | undefined): Precondition<A> =>
  options?.based_on === undefined ? anyState : (current) => isSame(current, options.based_on)

/** A query as it would have arrived on the wire. */
export const rawQuery = (query: Query = {}): RawQuery =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, Array.isArray(value) ? value.map(String) : String(value)]]
    )
  )
