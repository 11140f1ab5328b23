import { type DocumentContent, type DocumentReference, DocumentUnavailable } from "@lastro/domain/lender"
import { Effect } from "effect"
import { createHash } from "node:crypto"

/** Maximum size of a document: 10 MiB. */
export const defaultMaxBytes = 10 * 1024 * 1024

/** Makes a failure. */
export const unavailable = (reason: DocumentUnavailable["reason"]): DocumentUnavailable =>
  new DocumentUnavailable({ reason })

/** Compares the content with the SHA-256 of its reference, if there is one. */
export const verifyContent = (
  { sha256 }: DocumentReference,
  content: DocumentContent
): Effect.Effect<DocumentContent, DocumentUnavailable> =>
  sha256 === null || createHash("sha256").update(content.bytes).digest("hex") === sha256.toLowerCase()
    ? Effect.succeed(content)
    : Effect.fail(unavailable("CHANGED"))
