import { type Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { type ApiErrorCode, statusOfCode } from "./ApiError.ts"
import { type OAuth2ErrorCode, OAuth2ErrorResponse } from "./OAuth2Error.ts"

const annotation = "lastro/refusal"

/** The codes that an operation answers with one status. */
export interface Refusal {
  readonly status: number
  readonly codes: ReadonlyArray<string>
}

const refusal = <S extends Schema.Top>(envelope: S, status: number, codes: ReadonlyArray<string>) =>
  envelope.annotate({ [annotation]: { status, codes } satisfies Refusal }).pipe(HttpApiSchema.status(status))

/** The error envelope of an operation, once for each status that one of these codes is answered with. */
export const refusals = <S extends Schema.Top>(envelope: S, codes: ReadonlyArray<ApiErrorCode>) =>
  [...Map.groupBy(codes, (code) => statusOfCode[code])].map(([status, codes]) => refusal(envelope, status, codes))

/** The same for a token operation, whose codes do not tell the status. */
export const oauth2Refusals = (codes: Readonly<Record<number, ReadonlyArray<OAuth2ErrorCode>>>) =>
  Object.entries(codes).map(([status, codes]) => refusal(OAuth2ErrorResponse, Number(status), codes))

/** Every way in which an operation refuses a request. */
export const refusalsOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<Refusal> =>
  [...endpoint.error].flatMap(({ ast }) => SchemaAST.resolveAt<Refusal>(annotation)(ast) ?? [])

/** What may happen to any request. */
export const always = ["METHOD_NOT_ALLOWED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"] as const

/** What may happen to any request that needs an access token. */
export const authenticated = ["UNAUTHENTICATED", "PASSWORD_CHANGE_REQUIRED", "RATE_LIMITED", ...always] as const

/** What may be wrong with a body before it is read. */
export const body = ["MALFORMED_JSON", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const

/** What may be wrong with the id of a record. */
export const record = ["NOT_FOUND", "OUTSIDE_HIERARCHY"] as const

/** What may be wrong with an idempotency key. */
export const idempotency = ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_IN_FLIGHT"] as const
