import {
  type DocumentContent,
  type DocumentReference,
  DocumentSource,
  type DocumentUnavailable
} from "@lastro/domain/lender"
import { errorCode } from "@lastro/domain/values"
import { Data, type Duration, Effect, Layer } from "effect"
import { type HttpClientError, HttpClientRequest } from "effect/http"
import { isAddressAllowed } from "../lender/lenderAddress.ts"
import { makeLenderTransport, type Resolve, responseTooLarge } from "../lender/lenderTransport.ts"
import { defaultMaxBytes, unavailable, verifyContent } from "./verifyContent.ts"

/** An entry of the allow-list is not a valid address for documents. `index` is the position of the entry. */
export class DocumentAddressRefused extends Data.TaggedError("DocumentAddressRefused")<{ readonly index: number }> {}

/** Options of {@link layerWebDocuments}. */
export interface WebDocumentsOptions {
  /**
   * The allowed prefixes of document addresses, for example `https://files.example/kyc/`. Each must be an `https`
   * address without a query, and end with a slash. `http` is allowed only for this machine.
   */
  readonly allow: ReadonlyArray<string>
  /** Maximum size of a document in bytes. Default: 10 MiB. */
  readonly maxBytes?: number
  /** Timeout of a request. Default: 10 s. */
  readonly timeout?: Duration.Input
  /** Allows hosts in a private network. Default: false. */
  readonly allowPrivateNetwork?: boolean
  /** Resolves host names. Default: the resolver of the system. */
  readonly resolve?: Resolve
}

/** Parses an address. Returns null if it is invalid, or has credentials or a fragment. */
const parseUrl = (text: string): URL | null => {
  const url = URL.parse(text)
  return url === null || url.username !== "" || url.password !== "" || url.hash !== "" ? null : url
}

const isLoopback = ({ hostname }: URL): boolean => hostname === "127.0.0.1" || hostname === "[::1]"

const parseEntry = (text: string): URL | null => {
  const url = parseUrl(text)
  if (url === null || url.search !== "" || !url.pathname.endsWith("/")) return null
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url)) ? url : null
}

/** Returns whether an address is below an entry of the allow-list. */
const isBelow = (url: URL) => (entry: URL): boolean =>
  url.origin === entry.origin && url.pathname.startsWith(entry.pathname) && !/%(?:2e|2f|5c)/i.test(url.pathname)

const reasonOfError = (error: HttpClientError.HttpClientError): DocumentUnavailable["reason"] => {
  const code = errorCode("cause" in error.reason ? error.reason.cause : undefined)
  return code === responseTooLarge ? "TOO_LARGE" : code === "ADDRESS_REFUSED" ? "REFUSED" : "UNREACHABLE"
}

const reasonOfStatus = (status: number): DocumentUnavailable["reason"] =>
  status === 404 || status === 410
    ? "NOT_FOUND"
    : status >= 500 || status === 408 || status === 429
    ? "UNREACHABLE"
    : "REFUSED"

/** Makes a function that reads documents from the addresses of an allow-list. */
export const makeWebDocuments = Effect.fnUntraced(function*(options: WebDocumentsOptions) {
  const { allowPrivateNetwork = false, maxBytes = defaultMaxBytes, resolve, timeout = "10 seconds" } = options
  const entries: Array<URL> = []
  for (const [index, text] of options.allow.entries()) {
    const entry = parseEntry(text)
    if (entry === null) return yield* new DocumentAddressRefused({ index })
    entries.push(entry)
  }
  const connect = (isLocal: boolean) =>
    makeLenderTransport({
      mayConnect: (address) => isAddressAllowed(!isLocal, allowPrivateNetwork || isLocal, address),
      maxResponseBytes: maxBytes,
      ...(resolve === undefined ? {} : { resolve })
    })
  const local = yield* connect(true)
  const remote = yield* connect(false)
  const download = (url: URL): Effect.Effect<Uint8Array, DocumentUnavailable> =>
    (isLoopback(url) ? local : remote).execute(HttpClientRequest.get(url)).pipe(
      Effect.flatMap((response): Effect.Effect<Uint8Array, DocumentUnavailable | HttpClientError.HttpClientError> =>
        response.status === 200
          ? Effect.map(response.arrayBuffer, (bytes) => new Uint8Array(bytes))
          : Effect.fail(unavailable(reasonOfStatus(response.status)))
      ),
      Effect.catchTag("HttpClientError", (error) => Effect.fail(unavailable(reasonOfError(error)))),
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(unavailable("UNREACHABLE")) }),
      // Do not trace the request: its span would record the address, which may contain an access token.
      Effect.withTracerEnabled(false)
    )
  return (document: DocumentReference): Effect.Effect<DocumentContent, DocumentUnavailable> => {
    const url = parseUrl(document.reference)
    if (url === null || !entries.some(isBelow(url))) return Effect.fail(unavailable("REFUSED"))
    const name = url.pathname.split("/").at(-1) ?? ""
    return Effect.flatMap(download(url), (bytes) => verifyContent(document, { bytes, name }))
  }
})

/**
 * Reads documents from web addresses that match an allow-list. A reference is the address of a document. Redirects are
 * not followed.
 */
export const layerWebDocuments = (options: WebDocumentsOptions): Layer.Layer<DocumentSource, DocumentAddressRefused> =>
  Layer.effect(DocumentSource, Effect.map(makeWebDocuments(options), (read) => DocumentSource.of({ read })))
