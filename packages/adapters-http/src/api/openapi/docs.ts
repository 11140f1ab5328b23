import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiSwagger, OpenApi } from "effect/http-api"
import { hash } from "node:crypto"
import { type OpenApiDocument } from "./openApi.ts"

/** A page and its response headers (names in lower case). */
export interface DocsPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

const path = "/docs"

/** Renders the page of an empty API, whose document is replaced, so that no document is generated again. */
const render = (document: OpenApiDocument): Effect.Effect<string> =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      HttpRouter.toWebHandler(
        HttpApiSwagger.layer(HttpApi.make("docs").annotate(OpenApi.Transform, () => document), { path }),
        { disableLogger: true }
      )
    ),
    ({ handler }) => Effect.promise(async () => (await handler(new Request(new URL(path, "http://localhost")))).text()),
    ({ dispose }) => Effect.promise(dispose)
  )

const option = `dom_id: "#swagger-ui",`

/**
 * Makes Swagger UI omit empty HTTP Basic credentials from its requests. It sends them (`Basic Og==`) if both client
 * fields of the password grant are empty, and the server would reject them.
 */
const withoutEmptyBasic = (html: string): string => {
  if (!html.includes(option)) throw new Error("the page of Swagger UI has changed")
  const interceptor = `requestInterceptor: (request) => {
          if (request.headers.Authorization === "Basic Og==") delete request.headers.Authorization;
          return request;
        },`
  return html.replace(option, () => `${option}\n        ${interceptor}`)
}

const opening = "<script>"
const closing = "</script>"

/** Returns the contents of the `<script>` elements that have no attributes. */
const inlineScripts = (html: string, from = 0): ReadonlyArray<string> => {
  const start = html.indexOf(opening, from)
  if (start < 0) return []
  const end = html.indexOf(closing, start)
  return [html.slice(start + opening.length, end), ...inlineScripts(html, end)]
}

/**
 * Builds the content security policy of the page. It allows the page's own scripts, by hash, and requests to the page's own
 * server. It does not restrict styles, because Swagger UI sets them on elements.
 */
const policy = (html: string): string => {
  const scripts = inlineScripts(html).map((script) => `'sha256-${hash("sha256", script, "base64")}'`)
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

/**
 * Renders the interactive documentation: Swagger UI and an OpenAPI document in one page that works offline. The page is
 * about 2 MB, so render it only once.
 */
export const docsPage = (document: OpenApiDocument): Effect.Effect<DocsPage> =>
  Effect.map(Effect.map(render(document), withoutEmptyBasic), (html) => ({
    html,
    headers: {
      "cache-control": "no-cache",
      "content-security-policy": policy(html),
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  }))
