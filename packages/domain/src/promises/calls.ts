import { Effect, type Result } from "effect"
import { RequestId } from "../audit/AuditLog.ts"
import { requestIdOf } from "../audit/requestIdOf.ts"
import { existingId } from "../hierarchy/existingId.ts"
import { type NotFound } from "../hierarchy/Scope.ts"
import { type Caller } from "../identity/Caller.ts"
import { addressKey } from "../token/addressKey.ts"
import { ClientAddress } from "../token/verifySecret.ts"
import { type CallOptions } from "./CallOptions.ts"

/** Makes an effect over open ports, runs it, and gives what it comes to as a value. */
export type Run<P> = <A, E>(
  effect: () => Effect.Effect<A, E, P>,
  options?: CallOptions
) => Promise<Result.Result<A, E>>

/** Tells the use cases what is known about a call. */
export const aboutCall = ({ client_address, request_id }: CallOptions) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provideService(ClientAddress, addressKey(client_address ?? "")),
    Effect.provideService(RequestId, requestIdOf(request_id) ?? null)
  )

/** What is passed as a caller, where types do not see to it, is one: a Result with a caller in it is not. */
const ensured = (caller: Caller): Caller => {
  if (Object(caller).permissions instanceof Set) return caller
  throw new TypeError("The caller is no Caller. Of what callerOfUser and the like answer, pass what is in success.")
}

/** Does for a caller what it is permitted. */
export const permitted = <P, F, A, E, R>(
  caller: Caller,
  permit: (caller: Caller) => Result.Result<P, F>,
  use: (allowed: P) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | F, R> => Effect.flatMap(Effect.fromResult(permit(ensured(caller))), use)

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
