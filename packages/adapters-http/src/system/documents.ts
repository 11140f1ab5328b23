import { Effect } from "effect"
import { docsPage } from "../api/openapi/docs.ts"
import { openApi } from "../api/openapi/openApi.ts"
import { SystemApi } from "../api/SystemApi.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { entityTag, ifNoneMatch } from "../pipeline/entityTag.ts"
import { type Exchange } from "../pipeline/Exchange.ts"

/**
 * Returns the path of the OAuth 2 metadata. It ends with `basePath`, the path of the issuer (RFC 8414 §3.1). So a proxy
 * or framework that removes `basePath` from the beginning of paths does not change this path.
 */
export const metadataPath = (basePath: string): `/${string}` =>
  `${SystemApi.endpoints.getAuthorizationServerMetadata.path}${basePath}`

/** A document that is the same for every caller. */
interface Document {
  readonly type: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

const openApiDocument = (basePath: string): Effect.Effect<Document> =>
  Effect.sync(() => ({
    type: "application/json",
    text: JSON.stringify(openApi(basePath)),
    headers: { "cache-control": "no-cache" }
  }))

const docsDocument = (basePath: string): Effect.Effect<Document> =>
  Effect.map(
    docsPage(basePath),
    ({ headers: { "content-type": type, ...headers }, html }) => ({
      type: type ?? "text/html",
      text: html,
      headers
    })
  )

/**
 * Makes a route that serves a document. The document is generated at the first request and cached. The response is 304
 * if the caller already has the document.
 */
const serveDocument = Effect.fnUntraced(function*(path: `/${string}`, make: Effect.Effect<Document>) {
  const cached = yield* Effect.cached(Effect.map(make, (document) => ({ ...document, tag: entityTag(document.text) })))
  const serve = ({ request }: Exchange): Effect.Effect<Encoded> =>
    Effect.map(cached, ({ headers, tag, text, type }) =>
      ifNoneMatch(request.headers["if-none-match"], tag)
        ? { status: 304, headers: { ...headers, etag: tag }, body: undefined }
        : { status: 200, headers: { ...headers, etag: tag }, body: text, type })
  return { path, serve }
})

/** Makes the routes that serve the OpenAPI document and the documentation page. */
export const documents = (basePath: string) =>
  Effect.all([
    serveDocument("/openapi.json", openApiDocument(basePath)),
    serveDocument("/docs", docsDocument(basePath))
  ])
