import { type Caller, type Precondition, type RawQuery } from "@lastro/domain"
import { type Effect, type Option, Result } from "effect"
import { type Refusal } from "../errors/Refusal.ts"

/** The captured parts of a path, by their names in the API definition, as they were sent. */
export type PathParams = Readonly<Record<string, string | undefined>>

/** What a use case needs to know of a request. */
interface Call {
  readonly params: PathParams
  readonly query: RawQuery
  /** Untrusted JSON; undefined where the operation takes no body, or came without an optional one. */
  readonly body: unknown
  /** What `If-Match` says about the present record. */
  readonly expected: Precondition<unknown>
  /** What `If-None-Match` says of a record: whether the caller has it already; none where it says nothing. */
  readonly isKnown: (record: unknown) => Option.Option<boolean>
}

/** What an operation answers. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204
  /** JSON; absent where there is no content. */
  readonly body?: unknown
  /** The record whose tag is the `ETag` of this answer. */
  readonly tagged?: unknown
  /** The path of the record that was made, as the API definition has it. */
  readonly location?: string
  /** When it makes sense to ask again, where nothing is to be done meanwhile. */
  readonly retry_after_seconds?: number
  /** Whether the answer holds a secret, so that nobody may store it. */
  readonly secret?: boolean
}

/** Whether and how a body is read. */
type BodyKind = "none" | "json" | "optional-json"

/**
 * An operation on behalf of a caller. It decides no rule: `authorize` asks the domain whether the caller may do this at
 * all, and what it was allowed goes to the use case, which judges the rest.
 */
export interface OperationDefinition<Access, E, R> {
  readonly authorize: (caller: Caller, params: PathParams) => Result.Result<Access, Refusal>
  readonly body: BodyKind
  /** Whether `Idempotency-Key` is honoured. */
  readonly idempotent: boolean
  readonly handle: (access: Access, call: Call) => Effect.Effect<Answer, E, R>
}

/** An operation as the pipeline runs it: once permitted, what is left to do with the call. */
export interface Operation<out R> {
  readonly body: BodyKind
  readonly idempotent: boolean
  readonly permit: (
    caller: Caller,
    params: PathParams
  ) => Result.Result<(call: Call) => Effect.Effect<Answer, Refusal, R>, Refusal>
}

/** Makes an operation; what `authorize` returned is what `handle` gets, and nobody else sees it. */
export const operation = <Access, E extends Refusal, R>(
  { authorize, body, handle, idempotent }: OperationDefinition<Access, E, R>
): Operation<R> => ({
  body,
  idempotent,
  permit: (caller, params) => Result.map(authorize(caller, params), (access) => (call) => handle(access, call))
})
