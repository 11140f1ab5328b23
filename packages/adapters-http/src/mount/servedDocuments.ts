import { Effect } from "effect"
import { docsPage } from "../api/openapi/docs.ts"
import { openApi } from "../api/openapi/openApi.ts"
import { SystemApi } from "../api/SystemApi.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { entityTag, ifNoneMatch } from "../pipeline/conditionalHeaders.ts"
import { type Exchange, languageOf } from "../pipeline/Exchange.ts"

/**
 * Returns the path of the OAuth 2 metadata. It ends with `basePath`, the path of the issuer (RFC 8414 §3.1). So a proxy
 * or framework that removes `basePath` from the beginning of paths does not change this path.
 */
export const metadataPath = (basePath: string): `/${string}` =>
  `${SystemApi.endpoints.getAuthorizationServerMetadata.path}${basePath}`

/** A document that is the same for every caller, with the bytes of its body. */
interface Document {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
}

const documentOf = (
  type: string,
  text: string,
  headers: Readonly<Record<string, string>>
): Document => ({ type, bytes: new TextEncoder().encode(text), headers: { ...headers, etag: entityTag(text) } })

/** The documents by path. */
type Documents = Readonly<Record<"/openapi.json" | "/docs", Document>>

const renderDocuments = Effect.fnUntraced(function*(basePath: string): Effect.fn.Return<Documents> {
  const document = openApi(basePath)
  const { headers: { "content-type": type = "text/html", ...headers }, html } = yield* docsPage(document)
  return {
    "/openapi.json": documentOf("application/json", JSON.stringify(document), { "cache-control": "no-cache" }),
    "/docs": documentOf(type, html, headers)
  }
})

/** Serves a document. The response is 304 if the caller already has the document. */
const serveDocument = ({ request }: Exchange, { bytes, headers, type }: Document): Encoded =>
  ifNoneMatch(request.headers["if-none-match"], headers.etag)
    ? { status: 304, headers, body: undefined }
    : { status: 200, headers, body: bytes, type }

/**
 * Makes the routes that serve the OpenAPI document and the documentation page. Both are rendered at the first request,
 * together and once. This delays other requests by about 0.5 s, and takes about 60 MiB of memory. A server whose
 * documentation nobody reads needs neither.
 */
export const documents = (basePath: string) =>
  Effect.map(
    Effect.cached(renderDocuments(basePath)),
    (rendered) =>
      (["/openapi.json", "/docs"] as const).map((path) => ({
        path,
        serve: (exchange: Exchange): Effect.Effect<Encoded> =>
          Effect.map(rendered, (all) => serveDocument(exchange, all[path]))
      }))
  )

/** A media range of an `Accept` header, such as `text/*;q=0.8`. */
interface MediaRange {
  readonly range: string
  readonly quality: number
}

const parseRange = (text: string): MediaRange => {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase())
  const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
  return { range, quality: weight >= 0 && weight <= 1 ? weight : 0 }
}

/** Returns the quality value of a media type. If several ranges include the type, the most specific one decides. */
const qualityOf = (type: string, ranges: ReadonlyArray<MediaRange>): number => {
  const name = type.split(";", 1)[0] ?? ""
  for (const range of [name, `${name.split("/", 1)[0]}/*`, "*/*"]) {
    const found = ranges.find((one) => one.range === range)
    if (found !== undefined) return found.quality
  }
  return 0
}

/**
 * Selects the media type that an `Accept` header prefers (RFC 9110 §12.5.1). Returns the first type if the header is
 * absent or accepts none of the types. If several types are equally preferred, returns the first of them.
 */
const preferredType = <A extends { readonly type: string }>(
  header: string | undefined,
  [first, ...others]: readonly [A, ...ReadonlyArray<A>]
): A => {
  if (header === undefined) return first
  const ranges = header.slice(0, 1_024).split(",").map(parseRange)
  let [best, quality] = [first, qualityOf(first.type, ranges)]
  for (const other of others) {
    const present = qualityOf(other.type, ranges)
    if (present > quality) [best, quality] = [other, present]
  }
  return best
}

/** A public document in one media type. Its text is generated for every request. */
export interface DocumentForm {
  /** The media type, with charset. */
  readonly type: string
  readonly text: Effect.Effect<string>
  /** The text for clients that prefer Brazilian Portuguese (`Accept-Language`). Default: `text`. */
  readonly textPtBr?: Effect.Effect<string>
  /** Response headers, by lower-case name. Example: a content security policy. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A public document. */
export interface OpenDocument extends DocumentForm {
  readonly path: `/${string}`
  /** The document in other media types. The `Accept` header selects one of them (RFC 9110 §12.5.1). Default: none. */
  readonly otherForms?: ReadonlyArray<DocumentForm>
}

/** Makes the response to a request for a document, in the media type that the request prefers. */
export const serveOpenDocument = (document: OpenDocument) => {
  const { otherForms = [] } = document
  const isTranslated = [document, ...otherForms].some(({ textPtBr }) => textPtBr !== undefined)
  const vary = [...(otherForms.length === 0 ? [] : ["Accept"]), ...(isTranslated ? ["Accept-Language"] : [])].join(", ")
  const varying = vary === "" ? {} : { vary }
  return (exchange: Exchange): Effect.Effect<Encoded> => {
    const { headers: { accept } } = exchange.request
    const { headers, text, textPtBr, type } = preferredType<DocumentForm>(accept, [document, ...otherForms])
    const language = isTranslated ? languageOf(exchange) : "en"
    const translated = textPtBr === undefined ? {} : { "content-language": language }
    return Effect.map(language === "pt-BR" ? textPtBr ?? text : text, (body) => ({
      status: 200,
      headers: { "cache-control": "no-store", ...varying, ...translated, ...headers },
      body,
      type
    }))
  }
}
