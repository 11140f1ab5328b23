import { type DocumentReference, DocumentSource, type DocumentUnavailable } from "@lastro/domain/lender"
import { errorCode } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { constants } from "node:fs"
import { open, realpath } from "node:fs/promises"
import { basename, isAbsolute, join, sep } from "node:path"
import { defaultMaxBytes, unavailable, verifyContent } from "./verifyContent.ts"

/** Options of {@link layerFolderDocuments}. */
export interface FolderDocumentsOptions {
  /** The folder of the documents. References are paths relative to it. */
  readonly folder: string
  /** Maximum size of a document in bytes. Default: 10 MiB. */
  readonly maxBytes?: number
}

/** Returns whether a reference is a path that stays within its folder. None of its segments may be `.` or `..`. */
const isInside = (reference: string): boolean =>
  !isAbsolute(reference) && !/[\\\0:]/.test(reference) &&
  reference.split("/").every((part) => part !== "" && part !== "." && part !== "..")

const notFoundCodes: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EISDIR"])

const reasonOf = (cause: unknown): DocumentUnavailable["reason"] =>
  cause === refused || errorCode(cause) === "ELOOP"
    ? "REFUSED"
    : cause === tooLarge
    ? "TOO_LARGE"
    : notFoundCodes.has(errorCode(cause) ?? "")
    ? "NOT_FOUND"
    : "UNREACHABLE"

const refused = new Error("refused")
const tooLarge = new Error("too large")

/** Reads a regular file below a folder. Rejects a path on which a symbolic link leads out of the folder. */
const readBelow = async (folder: string, reference: string, maxBytes: number): Promise<Uint8Array> => {
  const root = await realpath(folder)
  const path = await realpath(join(root, reference))
  if (!path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) throw refused
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw refused
    if (found.size > maxBytes) throw tooLarge
    // Read one byte more than the maximum, to detect a file that has grown since its size was read.
    const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(found.size, maxBytes) + 1), 0)
    if (bytesRead > maxBytes) throw tooLarge
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Makes a function that reads documents from files below a folder. */
export const readFolderDocument =
  ({ folder, maxBytes = defaultMaxBytes }: FolderDocumentsOptions) => (document: DocumentReference) =>
    isInside(document.reference)
      ? Effect.tryPromise({
        try: () => readBelow(folder, document.reference, maxBytes),
        catch: (cause) => unavailable(reasonOf(cause))
      }).pipe(Effect.flatMap((bytes) => verifyContent(document, { bytes, name: basename(document.reference) })))
      : Effect.fail(unavailable("REFUSED"))

/**
 * Reads documents from the files of a folder. A reference is the path of a file relative to the folder, with slashes.
 */
export const layerFolderDocuments = (options: FolderDocumentsOptions): Layer.Layer<DocumentSource> =>
  Layer.succeed(DocumentSource, DocumentSource.of({ read: readFolderDocument(options) }))
