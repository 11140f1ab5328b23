import { kycFields, kycGroups } from "@lastro/domain/kyc"
import { ExitRefused, type InvalidField, LenderUnsupported, SubmissionInvalid } from "@lastro/domain/lender"
import { Data, Effect, Option, Predicate, Result } from "effect"
import { type HttpClientResponse } from "effect/http"
import { type CallError } from "./lenderCalls.ts"

const groups: Readonly<Record<string, object>> = kycGroups

/** Returns the paths of the KYC fields in a group. */
const fieldsOfGroup = (name: string): ReadonlyArray<string> =>
  Object.keys(groups[name] ?? {}).map((field) => `${name}.${field}`)

const leaves: ReadonlySet<string> = new Set(
  Object.keys(kycFields).flatMap((name) => Object.hasOwn(groups, name) ? fieldsOfGroup(name) : [name])
)

/** The prefixes of paths in the lender protocol, whose bodies split the KYC into two objects. */
const prefix = /^(?:customer|disbursement)\./

/**
 * Returns the KYC fields that a path of the lender protocol names, for example `address.zipcode`,
 * `customer.address.zipcode`, `disbursement.pix.key`, or the group `address`. Returns an empty list for any other path.
 */
const kycPathsOf = (path: unknown): ReadonlyArray<string> => {
  if (typeof path !== "string") return []
  const name = path.replace(prefix, "")
  if (name === "method") return ["disbursement_method"]
  if (leaves.has(name)) return [name]
  return Object.hasOwn(groups, name) ? fieldsOfGroup(name) : []
}

/** Reads the decision of the lender from an error response. None if the response is no decision. */
type Read<E> = (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<Option.Option<E>>

const responseOf = (error: CallError): Option.Option<HttpClientResponse.HttpClientResponse> =>
  error._tag === "HttpClientError" && "response" in error.reason ? Option.some(error.reason.response) : Option.none()

/**
 * Runs a call. If `read` recognizes an error response as a decision of the lender, succeeds with this decision as a
 * failed `Result`. The circuit breaker then counts the call as a success.
 */
export const resultOr = <A, E>(
  call: Effect.Effect<A, CallError>,
  read: Read<E>
): Effect.Effect<Result.Result<A, E>, CallError> =>
  Effect.catch(Effect.map(call, (value): Result.Result<A, E> => Result.succeed(value)), (error) =>
    Effect.flatMap(
      Option.match(responseOf(error), { onNone: () => Effect.succeedNone, onSome: read }),
      Option.match({ onNone: () => Effect.fail(error), onSome: (refusal) => Effect.succeed(Result.fail(refusal)) })
    ))

const codeShape = /^[A-Z][A-Z0-9_]{0,63}$/

/** Reads an entry of the list of fields: a path, or an object with `field` or `path` and an optional `code`. */
const readField = (entry: unknown): ReadonlyArray<InvalidField> => {
  const { code, field, path } = Predicate.isReadonlyObject(entry)
    ? entry
    : { code: undefined, field: entry, path: undefined }
  const shown = typeof code === "string" && codeShape.test(code) ? code : "INVALID"
  return kycPathsOf(field ?? path).map((kycField) => ({ field: kycField, code: shown }))
}

/**
 * Returns the known KYC fields that the body of a rejected submission names in `fields` or `errors`. If a field is
 * repeated, its first code counts. Reads nothing else, because the body can contain personal data.
 */
const readInvalidFields = (body: unknown): ReadonlyArray<InvalidField> => {
  const list = Predicate.isReadonlyObject(body) ? body["fields"] ?? body["errors"] : undefined
  const fields = Array.isArray(list) ? list.flatMap(readField) : []
  return Array.from(new Map(fields.toReversed().map((field) => [field.field, field] as const)).values()).toReversed()
}

/** Returns whether a status means that the lender rejects the data: 400 or 422. A retry cannot succeed. */
const isInvalid = (status: number): boolean => status === 400 || status === 422

const bodyOf = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<unknown> =>
  Effect.orElseSucceed(response.json, () => null)

/** Reads a response that rejects the data of a submission. */
export const readInvalid: Read<SubmissionInvalid> = (response) =>
  isInvalid(response.status)
    ? Effect.map(
      bodyOf(response),
      (body) => Option.some(new SubmissionInvalid({ fields: readInvalidFields(body), message: null }))
    )
    : Effect.succeedNone

/** The lender rejects the new account or PIX key of a payment. */
export class DestinationRefused extends Data.TaggedError("DestinationRefused") {}

/** Reads a response that rejects the new account or PIX key of a payment: 400 or 422. */
export const readRefusedDestination: Read<DestinationRefused> = ({ status }) =>
  Effect.succeed(isInvalid(status) ? Option.some(new DestinationRefused()) : Option.none())

/**
 * Reads a response of a lender that does not support an operation (405 or 501), or rejects it for this contract (409 or
 * 422). Logs the `code` of the body. Reads nothing else, because the body can contain personal data.
 */
export const readRefusedExit = (operation: string): Read<LenderUnsupported | ExitRefused> => (response) => {
  const { status } = response
  if (status === 405 || status === 501) return Effect.succeedSome(new LenderUnsupported())
  if (status !== 409 && status !== 422) return Effect.succeedNone
  return Effect.map(bodyOf(response), (body) => {
    const code = Predicate.isReadonlyObject(body) ? body["code"] : undefined
    const shown = typeof code === "string" && codeShape.test(code) ? ` ${code}` : ""
    return Option.some(new ExitRefused({ detail: `${operation}: status ${status}${shown}` }))
  })
}
