import { Effect } from "effect"
import { SystemApi } from "../api/SystemApi.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Exchange, languageOf } from "../pipeline/Exchange.ts"
import { preferredType } from "../pipeline/negotiation.ts"

/**
 * Returns the path of the OAuth 2 metadata. It ends with `basePath` (RFC 8414 §3.1) instead of starting with it, so a
 * proxy that removes this prefix leaves the path unchanged.
 */
export const metadataPath = (basePath: string): `/${string}` =>
  `${SystemApi.endpoints.getAuthorizationServerMetadata.path}${basePath}`

/** A public document in one media type. Its text is generated at every request. */
export interface DocumentForm {
  /** The media type, with charset. */
  readonly type: string
  readonly text: Effect.Effect<string>
  /** The text for clients that prefer Brazilian Portuguese (`Accept-Language`). Default: `text`. */
  readonly textPtBr?: Effect.Effect<string>
  /** Response headers by lower-case name, for example a content security policy. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A document that is served without a token, in one or more media types. */
export interface OpenDocument extends DocumentForm {
  readonly path: `/${string}`
  /** The document in other media types. The `Accept` header selects one (RFC 9110 §12.5.1). Default: none. */
  readonly otherForms?: ReadonlyArray<DocumentForm>
}

/** Returns a function that serves a document in the media type and the language that the request prefers. */
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
