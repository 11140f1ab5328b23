import { Effect, type Option, Result } from "effect"
import { type Allowed, authorize, type AuthorizedAction, type Unpermitted } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { type Permission } from "../access/Permission.ts"
import { type Once, type SentKey } from "../idempotency/runOnce.ts"
import { type Precondition } from "../input/Precondition.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { idOrUnknown } from "../values/Uuid.ts"
import { type Address } from "./Address.ts"

/** The permission that an operation requires, and its check. */
export interface Requirement<A extends AuthorizedAction, Id extends string = string> {
  /**
   * The required permission. Null if every caller can call the operation. Some operations require no permission for the
   * caller's own record.
   */
  readonly permission: Permission | null
  /** Checks the caller. `id` is the first id of the call, or an id of no record if the first id is malformed. */
  readonly check: (caller: Caller, id: Id) => Result.Result<Allowed<A>, Unpermitted>
}

/** Creates the requirement that the caller has a permission. */
export const requirePermission = <P extends Permission>(permission: P): Requirement<P> => ({
  permission,
  check: (caller) => authorize(caller, permission)
})

/** The input of a call, besides its ids. An operation reads only the fields of its kind of input. */
export interface OperationInput {
  /** Untrusted query parameters. */
  readonly query: RawQuery
  /** The maximum number of records that a list may examine. */
  readonly budget: number
  /** Untrusted JSON, or the text of a file; undefined if absent. */
  readonly body: unknown
  /** The idempotency key, or undefined. */
  readonly key: SentKey | undefined
  /** The precondition of a change: returns whether a stored record is in the state that the caller expects. */
  readonly expected: Precondition<unknown>
  /** Returns whether the caller already has the given status. Returns none if the caller sent no status. */
  readonly isKnown: (status: unknown) => Option.Option<boolean>
}

/** The arguments of a use case after its ids, for each kind of input. */
export interface InputArguments {
  readonly nothing: []
  readonly query: [query: RawQuery]
  readonly "optional query": [query: RawQuery]
  /** A query. The list is refused with ReadBudgetExceeded if it would examine more records than the budget. */
  readonly list: [query: RawQuery, budget: number]
  /** A body. The call is executed at most once for each idempotency key. */
  readonly command: [body: unknown, key: SentKey | undefined]
  readonly "optional command": [body: unknown, key: SentKey | undefined]
  /** The text of a CSV file, and a query. The call is executed at most once for each idempotency key. */
  readonly file: [file: unknown, query: RawQuery, key: SentKey | undefined]
  /** A body. It is applied only if the record is in the expected state. */
  readonly patch: [body: unknown, expected: Precondition<unknown>]
  /** The call is executed only if the record is in the expected state. */
  readonly deletion: [expected: Precondition<unknown>]
  /** A query. The answer is delayed while it would equal the answer that the caller already has. */
  readonly "long poll": [query: RawQuery, isKnown: OperationInput["isKnown"]]
  /** A query. The answer is delayed while there is nothing to read. */
  readonly feed: [query: RawQuery]
}

/** The kind of input that an operation takes besides its ids. */
export type InputKind = keyof InputArguments

const argumentsOf: { readonly [Kind in InputKind]: (input: OperationInput) => InputArguments[Kind] } = {
  nothing: () => [],
  query: ({ query }) => [query],
  "optional query": ({ query }) => [query],
  list: ({ budget, query }) => [query, budget],
  command: ({ body, key }) => [body, key],
  "optional command": ({ body, key }) => [body, key],
  file: ({ body, key, query }) => [body, query, key],
  patch: ({ body, expected }) => [body, expected],
  deletion: ({ expected }) => [expected],
  "long poll": ({ isKnown, query }) => [query, isKnown],
  feed: ({ query }) => [query]
}

/** The answer to the caller of an operation. The use case of a command returns it together with `replayed`. */
export type AnswerOf<A> = A extends Once<infer Answer> ? Answer : A

/** A call that the caller is allowed to make. */
export interface PermittedCall<A, E, R> {
  /** The ids in canonical form. */
  readonly ids: Result.Result<ReadonlyArray<string>, E>
  /** Runs the use case. If an id is malformed, fails without running it. */
  readonly execute: (input: OperationInput) => Effect.Effect<A, E, R>
}

/** An operation that a caller can call. `Texts` are the unparsed ids that the caller sends. */
export interface Operation<Texts extends ReadonlyArray<string>, Kind extends InputKind, A, E, R, UseCase = unknown> {
  readonly permission: Permission | null
  readonly idCount: number
  /** True if the answer is the record that the ids identify. */
  readonly isRecord: boolean
  readonly takes: Kind
  /** The field of the answer that contains the id of the created record. */
  readonly creates: string | undefined
  /** The field of the answer that contains a secret. The secret is returned only once. */
  readonly secret: string | undefined
  /** A field of the record that can change without a new version. `ETag` and preconditions ignore it. */
  readonly untagged: string | undefined
  /** A field of the answer that a response omits if it is an empty object. */
  readonly absentIfEmpty: string | undefined
  /**
   * True if the operation changes no record but stores an audit entry. It runs after the check of the stored principal,
   * never at the same time (AUTH-22).
   */
  readonly isAuditedRead: boolean
  readonly useCase: UseCase
  /** Checks the caller's permission. This is the first check of every call. */
  readonly authorize: (caller: Caller, ...texts: Texts) => Result.Result<PermittedCall<A, E, R>, Unpermitted>
}

/**
 * Creates an entry of the table of operations. It compiles only if the parameters of the use case match the entry: the
 * proof of authorization, the ids and the input.
 */
export const operation = <
  Access extends AuthorizedAction,
  Texts extends ReadonlyArray<string>,
  Ids extends ReadonlyArray<string>,
  Malformed,
  Kind extends InputKind,
  A,
  E,
  R,
  UseCase
>(entry: {
  readonly requires: Requirement<Access, NoInfer<Ids[number]>>
  readonly address: Address<Texts, Ids, Malformed>
  readonly takes: Kind
  readonly creates?: keyof AnswerOf<NoInfer<A>> & string
  readonly secret?: keyof AnswerOf<NoInfer<A>> & string
  readonly untagged?: string
  readonly absentIfEmpty?: keyof AnswerOf<NoInfer<A>> & string
  readonly isAuditedRead?: true
  readonly useCase:
    & UseCase
    & ((allowed: Allowed<NoInfer<Access>>, ...given: [...Ids, ...InputArguments[Kind]]) => Effect.Effect<A, E, R>)
}): Operation<Texts, Kind, A, E | Malformed, R, UseCase> => {
  const { absentIfEmpty, address, creates, isAuditedRead = false, requires, secret, takes, untagged, useCase } = entry
  return {
    permission: requires.permission,
    idCount: address.idCount,
    isRecord: address.isRecord,
    takes,
    creates,
    secret,
    untagged,
    absentIfEmpty,
    isAuditedRead,
    useCase,
    authorize: (caller, ...texts) => {
      const ids = address.parse(...texts)
      const first = Result.isSuccess(ids) ? ids.success[0] : undefined
      return Result.map(requires.check(caller, first ?? idOrUnknown<Ids[number]>("")), (allowed) => ({
        ids,
        execute: (input) =>
          Result.isSuccess(ids)
            ? useCase(allowed, ...ids.success, ...argumentsOf[takes](input))
            : Effect.fail(ids.failure)
      }))
    }
  }
}

/**
 * Joins a search and a list of the same records into one operation. `isFirst` decides by the query which one runs.
 * Throws a TypeError if they require different permissions.
 */
export const chooseByQuery = <Texts extends ReadonlyArray<string>, A, E, R, B, F, S>(
  isFirst: (query: RawQuery) => boolean,
  first: Operation<Texts, "query", A, E, R>,
  second: Operation<Texts, "list", B, F, S>
): Operation<Texts, "list", A | B, E | F, R | S> => {
  if (first.permission !== second.permission) throw new TypeError("Joined operations must require the same permission")
  return {
    permission: first.permission,
    idCount: first.idCount,
    isRecord: false,
    takes: "list",
    creates: undefined,
    secret: undefined,
    untagged: undefined,
    absentIfEmpty: undefined,
    isAuditedRead: first.isAuditedRead || second.isAuditedRead,
    useCase: undefined,
    authorize: (caller, ...texts) =>
      Result.flatMap(
        first.authorize(caller, ...texts),
        (ofFirst) =>
          Result.map(second.authorize(caller, ...texts), (ofSecond): PermittedCall<A | B, E | F, R | S> => ({
            ids: ofFirst.ids,
            execute: (input) =>
              Effect.suspend((): Effect.Effect<A | B, E | F, R | S> =>
                isFirst(input.query) ? ofFirst.execute(input) : ofSecond.execute(input)
              )
          }))
      )
  }
}
