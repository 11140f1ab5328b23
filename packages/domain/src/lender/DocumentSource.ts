import { Context, type Effect } from "effect"
import { Refusal } from "../input/Refusal.ts"

/** A reference to a document of the customer, as stored in the KYC. */
export interface DocumentReference {
  /** The address or path of the document. Only the host can interpret it. */
  readonly reference: string
  /** The SHA-256 of the content: 64 hexadecimal digits. Null if it is not known. */
  readonly sha256: string | null
}

/** The content of a document. */
export interface DocumentContent {
  readonly bytes: Uint8Array
  /** The name of the file, without a path. */
  readonly name: string
}

/** The document cannot be read. */
export class DocumentUnavailable extends Refusal("DocumentUnavailable", "The document cannot be read.", ["reason"])<{
  /**
   * - NOT_FOUND: there is no document with this reference.
   * - REFUSED: this source does not read references of this kind.
   * - TOO_LARGE: the document is larger than the limit of this source.
   * - CHANGED: the content does not have the SHA-256 of the reference.
   * - UNREACHABLE: the document cannot be read now. A later attempt can succeed.
   */
  readonly reason: "NOT_FOUND" | "REFUSED" | "TOO_LARGE" | "CHANGED" | "UNREACHABLE"
}> {}

/**
 * The port to the documents of customers: identity cards, proofs of residence. Lastro stores only references. The host
 * keeps the documents.
 */
export class DocumentSource extends Context.Service<DocumentSource, {
  /**
   * Returns the content of a document. If the reference has a SHA-256, the content matches it. A failure contains
   * neither the reference nor any content.
   */
  readonly read: (document: DocumentReference) => Effect.Effect<DocumentContent, DocumentUnavailable>
}>()("@lastro/domain/lender/DocumentSource") {}
