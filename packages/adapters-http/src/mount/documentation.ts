import { Effect } from "effect"
import { promisify } from "node:util"
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Language, languages } from "../errors/Language.ts"
import { entityTag, ifNoneMatch } from "../pipeline/conditionalHeaders.ts"
import { type Exchange, languageOf } from "../pipeline/Exchange.ts"
import { type Coding, preferredCoding } from "../pipeline/negotiation.ts"

/** A document before compression. */
interface Source {
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
  /** Response headers, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body, compressed with Brotli. Default: it is compressed at the first request. */
  readonly brotli?: Uint8Array<ArrayBuffer>
  /** The version of the document. If the query parameter `v` equals it, caches keep the document. Default: none. */
  readonly revision?: string
}

/** A part of the documentation, equal for every caller. */
interface Page {
  readonly path: `/${string}`
  /** True if the document exists in each language. */
  readonly isTranslated?: boolean
  readonly render: (language: Language) => Promise<Source>
}

const [compressBrotli, decompressBrotli, compressGzip] = [
  promisify(brotliCompress),
  promisify(brotliDecompress),
  promisify(gzip)
]

const base64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, "base64"))

/** The parts of the documentation. Each is loaded and rendered at its first request. */
const pagesOf = (basePath: string): ReadonlyArray<Page> => {
  const document = async (language: Language) =>
    language === "en"
      ? (await import("../api/openapi/openApi.ts")).openApi(basePath)
      : (await import("../api/portuguese/openApiPtBr.ts")).openApiPtBr(basePath)
  return [
    {
      path: "/docs",
      isTranslated: true,
      render: async (language) => {
        const { headers, html } = (await import("../docs/docsPage.ts")).docsPage(language)
        return { type: "text/html; charset=utf-8", body: html, headers }
      }
    },
    {
      path: "/docs/viewer.js",
      render: async () => {
        const { viewer, viewerHash } = await import("../docs/viewer.ts")
        const brotli = base64(viewer)
        const body = Uint8Array.from(await decompressBrotli(brotli))
        return { type: "text/javascript; charset=utf-8", body, brotli, revision: viewerHash }
      }
    },
    {
      path: "/openapi.json",
      isTranslated: true,
      render: async (language) => ({ type: "application/json", body: JSON.stringify(await document(language)) })
    },
    {
      path: "/openapi.yaml",
      isTranslated: true,
      render: async (language) => {
        const { stringify } = await import("yaml")
        const body = stringify(await document(language), { aliasDuplicateObjects: false, lineWidth: 120 })
        return { type: "application/yaml; charset=utf-8", body }
      }
    },
    {
      path: "/llms.txt",
      render: async () => ({
        type: "text/plain; charset=utf-8",
        body: (await import("../docs/llmsText.ts")).llmsText(basePath)
      })
    },
    {
      path: "/favicon.svg",
      render: async () => ({ type: "image/svg+xml", body: (await import("../docs/icon.ts")).iconSvg })
    },
    {
      path: "/favicon.ico",
      render: async () => ({ type: "image/x-icon", body: base64((await import("../docs/icon.ts")).iconIco) })
    }
  ]
}

/** A document in the form in which it is sent. */
interface Representation extends Source {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
}

const compress = async (bytes: Uint8Array, coding: Coding): Promise<Uint8Array<ArrayBuffer>> => {
  if (coding === "gzip") return Uint8Array.from(await compressGzip(bytes, { level: 9 }))
  if (coding === "identity") return Uint8Array.from(bytes)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength }
  return Uint8Array.from(await compressBrotli(bytes, { params }))
}

/** Encodes a document with one content coding, and gives the result its own entity tag (RFC 9110 §8.8.3). */
const represent = async (
  { isTranslated = false }: Page,
  { body, brotli, headers, ...rest }: Source,
  language: Language,
  coding: Coding
): Promise<Representation> => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  const tag = entityTag(Buffer.from(bytes).toString("base64"))
  return {
    ...rest,
    body: coding === "br" && brotli !== undefined ? brotli : await compress(bytes, coding),
    headers: {
      "cache-control": "no-cache",
      ...headers,
      vary: isTranslated ? "Accept-Encoding, Accept-Language" : "Accept-Encoding",
      ...isTranslated ? { "content-language": language } : {},
      ...coding === "identity" ? {} : { "content-encoding": coding },
      etag: coding === "identity" ? tag : `${tag.slice(0, -1)}.${coding}"`
    }
  }
}

const queryOf = ({ request }: Exchange): URLSearchParams => new URLSearchParams(request.url.split("?", 2)[1])

/**
 * Returns the language of a request: that of the query parameter `lang`, which links use, or else that of
 * `Accept-Language`.
 */
const languageIn = (exchange: Exchange): Language => {
  const sent = queryOf(exchange).get("lang")
  return languages.find((language) => language === sent) ?? languageOf(exchange)
}

/** The headers of a document whose URL contains its version. */
const immutable = { "cache-control": "public, max-age=31536000, immutable" }

/** Returns a function that makes the value of a key once, then returns it without waiting. Retries after a failure. */
export const onceByKey = <K, A>(make: (key: K) => Promise<A>) => {
  const values = new Map<K, A>()
  const pending = new Map<K, Promise<A>>()
  return (key: K): Effect.Effect<A> => {
    const known = values.get(key)
    if (known !== undefined) return Effect.succeed(known)
    const making = pending.get(key) ?? make(key)
      .then((value) => {
        values.set(key, value)
        return value
      })
      .finally(() => pending.delete(key))
    pending.set(key, making)
    return Effect.promise(() => making)
  }
}

/** Returns the function that serves a document. Each form of the document is made once. */
const serve = (page: Page) => {
  const sources = onceByKey((language: Language) => page.render(language))
  const formsIn = (language: Language) =>
    onceByKey(async (coding: Coding) => represent(page, await Effect.runPromise(sources(language)), language, coding))
  const forms: Readonly<Record<Language, ReturnType<typeof formsIn>>> = { en: formsIn("en"), "pt-BR": formsIn("pt-BR") }
  return (exchange: Exchange): Effect.Effect<Encoded> => {
    const sent = exchange.request.headers
    const language = page.isTranslated === true ? languageIn(exchange) : "en"
    return Effect.map(
      forms[language](preferredCoding(sent["accept-encoding"])),
      ({ body, headers: usual, revision, type }) => {
        const isPinned = revision !== undefined && queryOf(exchange).get("v") === revision
        const headers = isPinned ? { ...usual, ...immutable } : usual
        return ifNoneMatch(sent["if-none-match"], headers.etag)
          ? { status: 304, headers, body: undefined }
          : { status: 200, headers, body, type }
      }
    )
  }
}

/**
 * Makes the routes of the documentation. A document is rendered at its first request, so unread documents use no
 * memory. To render an OpenAPI document blocks other requests for about 0.5 s.
 */
export const documentation = (basePath: string) =>
  pagesOf(basePath).map((page) => ({ path: page.path, serve: serve(page) }))
