import { lenderCallback } from "@lastro/domain/jobs"
import { Effect } from "effect"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { readBytes, whileArriving } from "../pipeline/readBody.ts"

const noContent: Encoded = { status: 204, headers: { "cache-control": "no-store" }, body: undefined }

const queryOf = (url: string): string => url.includes("?") ? url.slice(url.indexOf("?")) : ""

const definedHeaders = (headers: Exchange["request"]["headers"]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]))

/** The operations that the lender calls, by their endpoint names in the API definition. */
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
