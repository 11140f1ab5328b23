import { lenderCallback } from "@lastro/domain/jobs"
import { chooseByQuery, operations as table } from "@lastro/domain/operation"
import { isApplicationSearch } from "@lastro/domain/origination"
import { Effect } from "effect"
import { type OperationName } from "../api/Api.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { type ServedOperation } from "../pipeline/permitCall.ts"
import { readBytes, whileArriving } from "../pipeline/readBody.ts"

/** Returns a record unchanged. Compiles only if the keys of the record are exactly these names. */
const exactly = <Names extends string>() =>
<T extends Readonly<Record<Names, ServedOperation<unknown>>>>(
  record: T & Readonly<Record<Exclude<keyof T, Names>, never>>
): T => record

const { listApplications, searchApplications, ...others } = table

/** The endpoint `GET /fgts/applications` serves two operations: the list, and the search by `external_id`. */
const all = exactly<OperationName>()({
  ...others,
  listApplications: chooseByQuery(isApplicationSearch, searchApplications, listApplications)
})

type PortOf<O> = O extends ServedOperation<infer R> ? R : never

/** The ports that the operations use. */
export type OperationPorts = PortOf<(typeof all)[OperationName]>

/** The operations of the domain. It does not compile if an endpoint lacks an operation, or an operation an endpoint. */
export const operations: Readonly<Record<OperationName, ServedOperation<OperationPorts>>> = all

const noContent: Encoded = { status: 204, headers: { "cache-control": "no-store" }, body: undefined }

const queryOf = (url: string): string => url.includes("?") ? url.slice(url.indexOf("?")) : ""

const definedHeaders = (headers: Exchange["request"]["headers"]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]))

/** The operations that lenders call, by their endpoint names. */
export const callbackOperations = {
  receiveLenderCallback: Effect.fnUntraced(
    function*(exchange: Exchange) {
      const { basePath, params: { lender = "" }, path, request } = exchange
      const body = yield* whileArriving(exchange, readBytes(request))
      yield* lenderCallback(lender, {
        method: request.method,
        path: `${basePath}${path}${queryOf(request.url)}`,
        headers: definedHeaders(request.headers),
        body
      })
      return noContent
    }
  )
}
