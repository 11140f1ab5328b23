import { type Caller, callerKey, holdsAll, type Permission } from "@lastro/domain/access"
import { type RawQuery } from "@lastro/domain/input"
import { type AnswerOf, type Operation, type OperationName, operations } from "@lastro/domain/operation"
import { rereadInTurn, withinBudget } from "@lastro/domain/ports"
import { Array as Arr, Effect, Option } from "effect"
import { whilePaused } from "../admission/Slot.ts"
import { type ApiError } from "../api/ApiError.ts"
import { type Language } from "../errors/Language.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { localizeRejections } from "../errors/rejectionMessages.ts"
import { type HandlerServices } from "../mount/ApiRoutes.ts"
import { type OperationPorts } from "../operations/operations.ts"
import { idempotencyKey } from "../pipeline/conditionalHeaders.ts"
import { type Exchange, type PathParams } from "../pipeline/Exchange.ts"
import { type ServedOperation } from "../pipeline/permitCall.ts"
import { type Formats } from "./formats.ts"
import { type View } from "./layout.ts"
import { type Rejection } from "./Rejection.ts"
import { type Words } from "./wordsEn.ts"

/** The fields of a form as sent. Every field has one value. */
export type Fields = Readonly<Record<string, string>>

/** A rejected form, with the error of the API. */
interface Refused {
  readonly action: string
  readonly fields: Fields
  readonly error: ApiError
  readonly rejection: Rejection
}

/** A request of a user who is signed in. */
export interface Visit {
  readonly exchange: Exchange
  readonly caller: Caller
  readonly language: Language
  readonly words: Words
  readonly formats: Formats
  /** The text that every form of this session contains. */
  readonly form: string
  readonly params: PathParams
  readonly query: RawQuery
  /** The form that was just rejected. Otherwise undefined. */
  readonly refused: Refused | undefined
  /** The prefix of every link. */
  readonly base: string
}

/** Runs the action of a form. Returns the path of the next page, or a page that is shown only once. */
type Action = (visit: Visit, fields: Fields) => Effect.Effect<string | View, Refusal, HandlerServices>

/** A page that needs a session. */
export interface Page {
  readonly path: `/${string}`
  /** The permission that the page requires. Null if every user may see it. */
  readonly permission: Permission | null
  readonly view: (visit: Visit) => Effect.Effect<View, Refusal, HandlerServices>
  /** The actions of the page's forms, by name. */
  readonly actions?: Readonly<Record<string, Action>>
}

/** Returns whether the user has a permission. Null requires none. */
export const may = ({ caller }: Pick<Visit, "caller">, permission: Permission | null): boolean =>
  permission === null || holdsAll(caller, [permission])

/** Returns the first value of a query parameter. Returns an empty text if it is absent. */
export const parameter = ({ query }: Pick<Visit, "query">, name: string): string => {
  const value = query[name]
  return (Array.isArray(value) ? value[0] : value) ?? ""
}

type Entry<Name extends OperationName> = (typeof operations)[Name]
type AnswerTo<Name extends OperationName> = Entry<Name> extends
  Operation<infer _Texts, infer _Kind, infer A, infer _E, infer _R, infer _UseCase> ? AnswerOf<A> : never

/** The input of an operation. Each operation reads only the properties for its kind of input. */
interface CallInput {
  readonly query?: RawQuery
  readonly body?: unknown
  /** The idempotency key of a form. A form that is sent twice has one effect. */
  readonly key?: string | undefined
}

/** Returns the key of a form as the idempotency key of an operation. */
export const formKey = (name: OperationName, ids: ReadonlyArray<string>, body: unknown, key: string | undefined) =>
  idempotencyKey(key, { method: "POST", path: `console ${name} ${ids.join(" ")}`, body })

/**
 * Calls an operation as the user, with the checks, the queue of costly reads and the errors of the API. Messages of
 * rejections are in the language of the page.
 */
export const call = <Name extends OperationName>(
  { caller, exchange, language }: Pick<Visit, "caller" | "exchange" | "language">,
  name: Name,
  ids: ReadonlyArray<string> = [],
  { body, key, query = {} }: CallInput = {}
): Effect.Effect<AnswerTo<Name>, Refusal, OperationPorts> => {
  const { authorize, takes }: ServedOperation<OperationPorts> = operations[name]
  const isCommand = takes === "command" || takes === "optional command"
  const input = {
    query,
    body,
    key: isCommand ? formKey(name, ids, body, key) : undefined,
    expected: () => true,
    isKnown: () => Option.none()
  }
  return Effect.gen(function*() {
    const { execute } = yield* Effect.fromResult(authorize(caller, ...ids))
    const run = (budget: number) => execute({ ...input, budget })
    const result = yield* rereadInTurn(
      { root: caller.root_id, key: callerKey(caller) },
      withinBudget(run),
      () => run(Number.POSITIVE_INFINITY),
      (wait) => whilePaused(exchange.slot, wait)
    )
    const answer = isCommand ? (result as { readonly answer: unknown }).answer : result
    return localizeRejections(answer, language) as AnswerTo<Name>
  })
}

/** Reads records by id, a few at a time. Omits those that the caller cannot read. */
export const readEach = <A, E, R>(ids: ReadonlyArray<string>, read: (id: string) => Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.forEach(
      [...new Set(ids)],
      (id) => Effect.map(Effect.option(read(id)), Option.map((record) => [id, record] as const)),
      { concurrency: 4 }
    ),
    (records) => new Map(Arr.getSomes(records))
  )

/** Reads partners by id. Omits those that have left the caller's tree. */
export const partnersOf = (visit: Visit, ids: ReadonlyArray<string>) =>
  readEach(ids, (id) => call(visit, "getPartner", [id]))
