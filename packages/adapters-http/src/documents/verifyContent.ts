import { type DocumentContent, type DocumentReference, DocumentUnavailable } from "@lastro/domain/lender"
import { Effect } from "effect"
import { createHash } from "node:crypto"

/** Default maximum size of a document: 10 MiB. */
export const defaultMaxBytes = 10 * 1024 * 1024

/** Makes the error for a document that cannot be read. */
export const unavailable = (reason: DocumentUnavailable["reason"]): DocumentUnavailable =>
  new DocumentUnavailable({ reason })

/**
 * Fails if the SHA-256 of the content differs from the one in the reference. Accepts any content if the reference has
 * none.
 */
export const verifyContent = (
  { sha256 }: DocumentReference,
  content: DocumentContent
): Effect.Effect<DocumentContent, DocumentUnavailable> =>
  sha256 === null || createHash("sha256").update(content.bytes).digest("hex") === sha256.toLowerCase()
    ? Effect.succeed(content)
    : Effect.fail(unavailable("CHANGED"))
