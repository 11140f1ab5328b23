import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiSwagger, OpenApi } from "effect/http-api"
import { hash } from "node:crypto"
import { Api } from "./Api.ts"
import { openApi } from "./openApi.ts"

/** A page and the headers that it has to be served with (names in lower case). */
export interface DocsPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

const path = "/docs"

const render = (basePath: string): Effect.Effect<string> =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      HttpRouter.toWebHandler(
        HttpApiSwagger.layer(Api.annotate(OpenApi.Transform, () => openApi(basePath)), { path }),
        { disableLogger: true }
      )
    ),
    ({ handler }) => Effect.promise(async () => (await handler(new Request(new URL(path, "http://localhost")))).text()),
    ({ dispose }) => Effect.promise(dispose)
  )

const opening = "<script>"
const closing = "</script>"

/** The texts of the elements `<script>` of a page that have no attributes, as a browser reads them. */
const inlineScripts = (html: string, from = 0): ReadonlyArray<string> => {
  const start = html.indexOf(opening, from)
  if (start < 0) return []
  const end = html.indexOf(closing, start)
  return [html.slice(start + opening.length, end), ...inlineScripts(html, end)]
}

/**
 * Allows what the page brings along and requests to the server it came from, nothing else. The scripts are named by
 * their hashes; styles cannot be, because Swagger UI sets them on elements.
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
 * The interactive documentation: Swagger UI and the description of the API in one page that loads nothing else, so that
 * it works offline. `basePath` is what comes before the paths of the API. About 2 MB; make it once and keep it.
 */
export const docsPage = (basePath = ""): Effect.Effect<DocsPage> =>
  Effect.map(render(basePath), (html) => ({
    html,
    headers: {
      "cache-control": "no-cache",
      "content-security-policy": policy(html),
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  }))
