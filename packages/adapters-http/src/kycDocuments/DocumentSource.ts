import {
  type DocumentContent,
  type DocumentReference,
  DocumentSource,
  DocumentUnavailable
} from "@lastro/domain/lender"
import { errorCode } from "@lastro/domain/values"
import { Data, type Duration, Effect, Layer } from "effect"
import { type HttpClientError, HttpClientRequest } from "effect/http"
import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { open, realpath } from "node:fs/promises"
import { basename, isAbsolute, join, sep } from "node:path"
import { isAddressAllowed } from "../lender/lenderAddress.ts"
import { makeLenderTransport, type Resolve, responseTooLarge } from "../lender/lenderTransport.ts"

/** Default maximum size of a document: 10 MiB. */
const defaultMaxBytes = 10 * 1024 * 1024

/** Makes the error for a document that cannot be read. */
const unavailable = (reason: DocumentUnavailable["reason"]): DocumentUnavailable => new DocumentUnavailable({ reason })

/**
 * Fails if the SHA-256 of the content differs from the one in the reference. A reference without a SHA-256 accepts any
 * content.
 */
const verifyContent = (
  { sha256 }: DocumentReference,
  content: DocumentContent
): Effect.Effect<DocumentContent, DocumentUnavailable> =>
  sha256 === null || createHash("sha256").update(content.bytes).digest("hex") === sha256.toLowerCase()
    ? Effect.succeed(content)
    : Effect.fail(unavailable("CHANGED"))

/** Options of {@link layerFolderDocuments}. */
export interface FolderDocumentsOptions {
  /** The folder of the documents. References are paths relative to it. */
  readonly folder: string
  /** Maximum size of a document in bytes. Default: 10 MiB. */
  readonly maxBytes?: number
}

/** Returns whether a reference is a path inside its folder. No segment may be `.` or `..`. */
const isInside = (reference: string): boolean =>
  !isAbsolute(reference) && !/[\\\0:]/.test(reference) &&
  reference.split("/").every((part) => part !== "" && part !== "." && part !== "..")

const notFoundCodes: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EISDIR"])

const reasonOf = (cause: unknown): DocumentUnavailable["reason"] => {
  if (cause === refused || errorCode(cause) === "ELOOP") return "REFUSED"
  if (cause === tooLarge) return "TOO_LARGE"
  if (notFoundCodes.has(errorCode(cause) ?? "")) return "NOT_FOUND"
  return "UNREACHABLE"
}

const refused = new Error("refused")
const tooLarge = new Error("too large")

/** Reads a regular file below a folder. Rejects a path that leads out of the folder through a symbolic link. */
const readBelow = async (folder: string, reference: string, maxBytes: number): Promise<Uint8Array> => {
  const root = await realpath(folder)
  const path = await realpath(join(root, reference))
  if (!path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) throw refused
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw refused
    if (stats.size > maxBytes) throw tooLarge
    // A file of the maximum size may have grown since then. One byte more than the size shows it.
    const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(stats.size, maxBytes) + 1), 0)
    if (bytesRead > maxBytes) throw tooLarge
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Returns a function that reads documents from files below a folder. */
const readFolderDocument =
  ({ folder, maxBytes = defaultMaxBytes }: FolderDocumentsOptions) => (document: DocumentReference) =>
    isInside(document.reference)
      ? Effect.tryPromise({
        try: () => readBelow(folder, document.reference, maxBytes),
        catch: (cause) => unavailable(reasonOf(cause))
      }).pipe(Effect.flatMap((bytes) => verifyContent(document, { bytes, name: basename(document.reference) })))
      : Effect.fail(unavailable("REFUSED"))

/** Reads documents from files in a folder. A reference is the path of a file, relative to the folder, with slashes. */
export const layerFolderDocuments = (options: FolderDocumentsOptions): Layer.Layer<DocumentSource> =>
  Layer.succeed(DocumentSource, DocumentSource.of({ read: readFolderDocument(options) }))

/** An entry of the allow-list is not a valid address. `index` is its position. */
export class DocumentAddressRefused extends Data.TaggedError("DocumentAddressRefused")<{ readonly index: number }> {}

/** Options of {@link layerWebDocuments}. */
export interface WebDocumentsOptions {
  /**
   * The allowed prefixes of document addresses, for example `https://files.example/kyc/`. Each must be an `https`
   * address without a query and end with a slash. `http` is allowed only for this machine.
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
  const url = URL.canParse(text) ? new URL(text) : null
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

const reasonOfError = ({ reason }: HttpClientError.HttpClientError): DocumentUnavailable["reason"] => {
  const code = errorCode("cause" in reason ? reason.cause : undefined)
  if (code === responseTooLarge) return "TOO_LARGE"
  return code === "ADDRESS_REFUSED" ? "REFUSED" : "UNREACHABLE"
}

const reasonOfStatus = (status: number): DocumentUnavailable["reason"] => {
  if (status === 404 || status === 410) return "NOT_FOUND"
  return status >= 500 || status === 408 || status === 429 ? "UNREACHABLE" : "REFUSED"
}

/** Returns a function that reads documents from the addresses of an allow-list. */
const makeWebDocuments = Effect.fnUntraced(function*(options: WebDocumentsOptions) {
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
      // Do not trace the request: its span would contain the address, which may contain an access token.
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
 * Reads documents from web addresses of an allow-list. A reference is the address of a document. Redirects are not
 * followed.
 */
export const layerWebDocuments = (options: WebDocumentsOptions): Layer.Layer<DocumentSource, DocumentAddressRefused> =>
  Layer.effect(DocumentSource, Effect.map(makeWebDocuments(options), (read) => DocumentSource.of({ read })))

/** Options of {@link layerDocumentSource}. */
export interface DocumentSourceOptions {
  /** The folder with documents. Undefined: no files are read. */
  readonly files?: FolderDocumentsOptions | undefined
  /** The addresses with documents. Undefined: no addresses are read. */
  readonly web?: WebDocumentsOptions | undefined
}

const refuse = () => Effect.fail(unavailable("REFUSED"))

const isAddress = (reference: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(reference)

/**
 * Reads documents from a folder and from web addresses. A reference that starts with a scheme, such as `https:`, is an
 * address. Any other reference is a path in the folder.
 */
export const layerDocumentSource = (
  { files, web }: DocumentSourceOptions
): Layer.Layer<DocumentSource, DocumentAddressRefused> =>
  Layer.effect(
    DocumentSource,
    Effect.gen(function*() {
      const readFile = files === undefined ? refuse : readFolderDocument(files)
      const readAddress = web === undefined ? refuse : yield* makeWebDocuments(web)
      return DocumentSource.of({
        read: (document) => isAddress(document.reference) ? readAddress(document) : readFile(document)
      })
    })
  )
