import { Result, Schema } from "effect"
import { field, nullWhenAbsent } from "../input/field.ts"
import { textSchema } from "../input/Text.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser } from "../input/textParser.ts"

/** The kinds of documents that a reference can name. */
export const KycDocumentKind = Schema.Literals([
  "IDENTITY_FRONT",
  "IDENTITY_BACK",
  "SELFIE",
  "PROOF_OF_RESIDENCE",
  "PROOF_OF_INCOME",
  "WEDDING_CERTIFICATE",
  "SPOUSE_IDENTITY",
  "OTHER"
]).annotate({ identifier: "KycDocumentKind", description: "Kind of document" })
export type KycDocumentKind = typeof KycDocumentKind.Type

const digest = schemaOfParser(
  (text) =>
    /^[0-9a-f]{64}$/.test(text)
      ? Result.succeed(text)
      : Result.fail(invalidFormat("SHA-256, 64 lower-case hexadecimal digits")),
  { pattern: "^[0-9a-f]{64}$" }
)

/** A reference to a document of the customer. The host application keeps the document itself. */
export const KycDocumentReference = Schema.Struct({
  kind: KycDocumentKind,
  reference: textSchema({
    min: 1,
    max: 1_000,
    description: "The path or the address of the document. It is passed to the document source of the installation.",
    examples: ["2026/11/identity-front.jpg"]
  }),
  sha256: field(
    nullWhenAbsent(digest),
    "SHA-256 of the content: 64 lower-case hexadecimal digits. Null: the content is not compared.",
    null
  )
}).annotate({
  identifier: "KycDocumentReference",
  description: "Reference to a document. It never contains the document itself."
})
export type KycDocumentReference = typeof KycDocumentReference.Type

/** Maximum number of documents of a KYC. */
export const maxKycDocuments = 20
