import { Context, type Effect } from "effect"

/** Stores documents where a `DocumentSource` reads them. The contract suite of that port requires this service from its layer. */
export class StoredDocuments extends Context.Service<StoredDocuments, {
  /** Stores a document and returns its reference. */
  readonly store: (content: Uint8Array) => Effect.Effect<string>
  /** Maximum size of a document in bytes. */
  readonly maxBytes: number
}>()("@lastro/testkit/lenders/StoredDocuments") {}
