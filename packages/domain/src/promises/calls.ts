import { Effect, type Result } from "effect"
import { RequestId } from "../audit/AuditLog.ts"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { requestIdOf } from "../audit/requestIdOf.ts"
import { type NotFound } from "../hierarchy/Scope.ts"
import { existingId } from "../id/existingId.ts"
import { CurrentIdempotencyKey } from "../idempotency/once.ts"
import { readIdempotencyKey } from "../idempotency/readIdempotencyKey.ts"
import { addressKey } from "../identity/addressKey.ts"
import { type Caller } from "../identity/Caller.ts"
import { ClientAddress } from "../identity/verifySecret.ts"
import { anyState, type Precondition } from "../transaction/Precondition.ts"
import { canonicalJson } from "../validation/canonicalJson.ts"
import { at, problem, ValidationFailed } from "../validation/FieldProblem.ts"
import { isJson } from "../validation/isJson.ts"
import { isSame } from "../validation/isSame.ts"
import { type CallOptions, type ChangeOptions, type CreateOptions } from "./CallOptions.ts"

/** Makes an effect over open ports, runs it, and gives what it comes to as a value. */
export type Run<P> = <A, E>(
  effect: () => Effect.Effect<A, E, P>,
  options?: CallOptions
) => Promise<Result.Result<A, E>>

/** Tells the use cases what is known about a call. */
export const told = ({ client_address, request_id }: CallOptions) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provideService(ClientAddress, addressKey(client_address ?? "")),
    Effect.provideService(RequestId, requestIdOf(request_id) ?? null)
  )

/** What is passed as a caller, where types do not see to it, is one: a Result with a caller in it is not. */
const known = (caller: Caller): Caller => {
  if (Object(caller).permissions instanceof Set) return caller
  throw new TypeError("The caller is no Caller. Of what callerOfUser and the like answer, pass what is in success.")
}

/** Does for a caller what it is permitted. */
export const permitted = <P, F, A, E, R>(
  caller: Caller,
  permit: (caller: Caller) => Result.Result<P, F>,
  use: (allowed: P) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | F, R> => Effect.flatMap(Effect.fromResult(permit(known(caller))), use)

/** Does for a caller what it is permitted with the record that an id names; want of permission comes before want of a record. */
export const permittedOn = <P, F, Id extends string, A, E, R>(
  caller: Caller,
  permit: (caller: Caller) => Result.Result<P, F>,
  id: string,
  use: (allowed: P, id: Id) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | F | NotFound, R> =>
  permitted(caller, permit, (allowed) => identified(id, (known: Id) => use(allowed, known)))

/** Uses the id that a text names. */
export const identified = <Id extends string, A, E, R>(
  text: string,
  use: (id: Id) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | NotFound, R> => Effect.flatMap(Effect.fromResult(existingId<Id>(String(text))), use)

/** Does at most once per key what an operation was asked for. */
export const keyed =
  (operation: string, asked: ReadonlyArray<unknown>, options: CreateOptions | undefined) =>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | ValidationFailed, R | PersonalDataHasher> =>
    Effect.gen(function*() {
      const key = options?.idempotency_key
      if (key === undefined) return yield* effect
      // What is no JSON has no fingerprint, and is no body of any operation.
      if (!asked.every(isJson)) return yield* new ValidationFailed({ problems: [at("", problem("INVALID_TYPE"))] })
      const fingerprint = yield* (yield* PersonalDataHasher).hash(canonicalJson([operation, ...asked]))
      const read = readIdempotencyKey(key, "idempotency_key", () => fingerprint)
      return yield* Effect.provideService(effect, CurrentIdempotencyKey, read)
    })

/** Whether a record is still the one that a change was based on. */
export const basedOn = <A>(options: ChangeOptions<A> | undefined): Precondition<A> =>
  options?.based_on === undefined ? anyState : (current) => isSame(current, options.based_on)
