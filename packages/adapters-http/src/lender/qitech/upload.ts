import { type KycDocumentReference } from "@lastro/domain/kyc"
import { type DocumentContent, DocumentSource, LenderUnavailable } from "@lastro/domain/lender"
import { LruCache } from "@lastro/domain/values"
import { Clock, Effect, Result } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { invalid } from "./invalidFields.ts"
import { textAt } from "./json.ts"
import { orUnavailable, type SendCall, unavailable } from "./qitechCalls.ts"

type UploadField =
  | "document_identification"
  | "document_identification_back"
  | "proof_of_residence"
  | "wedding_certificate"

/** The keys of the uploaded documents, by the names of QI Tech's fields. */
export type UploadedDocuments = { readonly [F in UploadField]?: string }

/** QI Tech's field for each kind of document. Other kinds are not sent. */
const fieldsOfKinds: Readonly<Partial<Record<KycDocumentReference["kind"], UploadField>>> = {
  IDENTITY_FRONT: "document_identification",
  IDENTITY_BACK: "document_identification_back",
  PROOF_OF_RESIDENCE: "proof_of_residence",
  WEDDING_CERTIFICATE: "wedding_certificate"
}

/**
 * Builds a multipart body (RFC 7578) with one file. The file name is fixed, because the real one may contain personal
 * data.
 */
const multipartOf = ({ bytes }: DocumentContent, field: UploadField) => {
  const boundary = `lastro-${randomBytes(16).toString("hex")}`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${field}"\r\n` +
    "content-type: application/octet-stream\r\n\r\n"
  return {
    bytes: new Uint8Array(Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])),
    contentType: `multipart/form-data; boundary=${boundary}`
  }
}

/**
 * Reads a document from the {@link DocumentSource}. If the reference has no readable document, the submission is
 * invalid.
 */
const readDocument = Effect.fnUntraced(function*({ reference, sha256 }: KycDocumentReference) {
  const source = yield* DocumentSource
  return yield* Effect.mapError(
    source.read({ reference, sha256 }),
    ({ reason }) =>
      reason === "UNREACHABLE"
        ? new LenderUnavailable({ reason: "WITHHELD", detail: "upload: a document of the customer cannot be read now" })
        : invalid([{ field: "documents", code: `DOCUMENT_${reason}` }])
  )
})

/** The limits of the memory of uploaded documents: their number, and their age in milliseconds. */
const capacity = 1_000
const lifetimeMs = 3_600_000

/** The keys of documents that this process has uploaded, by field and SHA-256. */
export type UploadMemory = LruCache<string, { readonly key: string; readonly at: number }>

export const makeUploadMemory = (): UploadMemory => new LruCache(capacity)

/** Returns the key of an uploaded document. Uploads it, unless this process has uploaded it in the last hour. */
const uploadOnce = Effect.fnUntraced(function*(
  send: SendCall,
  memory: UploadMemory,
  field: UploadField,
  content: DocumentContent
) {
  const name = `${field}:${createHash("sha256").update(content.bytes).digest("hex")}`
  const now = yield* Clock.currentTimeMillis
  const known = memory.get(name)
  if (known !== undefined && now < known.at + lifetimeMs) return known.key
  const answer = yield* orUnavailable(send({
    operation: "upload",
    method: "POST",
    path: "/upload",
    raw: { ...multipartOf(content, field), signed: content.bytes }
  }))
  const key = textAt(answer, "document_key")
  if (key === null) return yield* unavailable("upload: the answer has no document_key")
  memory.set(name, { key, at: now })
  return key
})

/**
 * Uploads the documents of a KYC one after another, because the throttle counts a submission as one call at a time. A
 * failed upload does not prevent the others, so a retry uploads only those that failed. If a document is uploaded
 * twice, an unused copy stays at QI Tech.
 */
export const uploadDocuments = Effect.fnUntraced(function*(
  send: SendCall,
  memory: UploadMemory,
  documents: ReadonlyArray<KycDocumentReference>
) {
  const chosen = new Map<UploadField, KycDocumentReference>()
  for (const document of documents) {
    const field = fieldsOfKinds[document.kind]
    if (field !== undefined && !chosen.has(field)) chosen.set(field, document)
  }
  const results = yield* Effect.forEach(
    chosen,
    ([field, document]) =>
      readDocument(document).pipe(
        Effect.flatMap((content) => uploadOnce(send, memory, field, content)),
        Effect.map((key) => [field, key] as const),
        Effect.result
      )
  )
  const uploaded: UploadedDocuments = Object.fromEntries(yield* Effect.fromResult(Result.all(results)))
  return uploaded
})
