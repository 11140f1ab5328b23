import { DocumentSource } from "@lastro/domain/lender"
import { Effect, Layer } from "effect"
import { type FolderDocumentsOptions, readFolderDocument } from "./folderDocuments.ts"
import { unavailable } from "./verifyContent.ts"
import { type DocumentAddressRefused, makeWebDocuments, type WebDocumentsOptions } from "./webDocuments.ts"

/** Options of {@link layerDocumentSource}. */
export interface DocumentSourceOptions {
  /** The folder with documents. If undefined, no files are read. */
  readonly files?: FolderDocumentsOptions | undefined
  /** The addresses with documents. If undefined, no addresses are read. */
  readonly web?: WebDocumentsOptions | undefined
}

const refuse = () => Effect.fail(unavailable("REFUSED"))

const isAddress = (reference: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(reference)

/**
 * Reads documents from a folder and from web addresses. A reference that begins with a scheme, such as `https:`, is an
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
