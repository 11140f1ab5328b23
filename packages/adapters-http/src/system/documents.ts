import { Effect } from "effect"
import { docsPage } from "../api/docs.ts"
import { openApi } from "../api/openApi.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { entityTag, ifNoneMatch } from "../pipeline/entityTag.ts"
import { type Exchange } from "../pipeline/Exchange.ts"

/** A text that is the same for everybody. */
interface Document {
  readonly type: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

const description = (basePath: string): Effect.Effect<Document> =>
  Effect.sync(() => ({
    type: "application/json",
    text: JSON.stringify(openApi(basePath)),
    headers: { "cache-control": "no-cache" }
  }))

const page = (basePath: string): Effect.Effect<Document> =>
  Effect.map(
    docsPage(basePath),
    ({ headers: { "content-type": type, ...headers }, html }) => ({
      type: type ?? "text/html",
      text: html,
      headers
    })
  )

/** A document at its path, made when it is first asked for; a caller that has it already is answered 304. */
const served = Effect.fnUntraced(function*(path: `/${string}`, make: Effect.Effect<Document>) {
  const cached = yield* Effect.cached(Effect.map(make, (made) => ({ ...made, tag: entityTag(made.text) })))
  const serve = ({ request }: Exchange): Effect.Effect<Encoded> =>
    Effect.map(cached, ({ headers, tag, text, type }) =>
      ifNoneMatch(request.headers["if-none-match"], tag)
        ? { status: 304, headers: { ...headers, etag: tag }, body: undefined }
        : { status: 200, headers: { ...headers, etag: tag }, body: text, type })
  return { path, serve }
})

/** The description of the API, for programs and for people. */
export const documents = (basePath: string) =>
  Effect.all([served("/openapi.json", description(basePath)), served("/docs", page(basePath))])
