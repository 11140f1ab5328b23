import { errorCode } from "@lastro/domain/values"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { type ConnectionOptions, createSecureContext } from "node:tls"

/** The values of `sslmode`, with the meanings of libpq. */
export const tlsModes = ["disable", "require", "verify-ca", "verify-full"] as const

/** The encryption of a connection, and the verification of the server's certificate. */
export interface TlsSettings {
  /**
   * - `disable`: The connection is not encrypted.
   * - `require`: It is encrypted. The certificate of the server is verified only if `rootFile` is set, as with
   * `verify-ca`.
   * - `verify-ca`: It is encrypted, and an authority in `rootFile` must have signed the certificate. Requires
   * `rootFile`.
   * - `verify-full`: Like `verify-ca`, and the certificate must also name the host. `rootFile` is optional.
   */
  readonly mode: typeof tlsModes[number]
  /** The PEM file with the trusted authorities. Undefined: those that Node.js trusts. */
  readonly rootFile: string | undefined
  /** The PEM files with the certificate and the key of the client. */
  readonly client: { readonly certFile: string; readonly keyFile: string } | undefined
}

/** Reads the TLS settings of a valid database URL. */
export const tlsOfUrl = (url: string): TlsSettings => {
  const { searchParams } = new URL(url)
  const mode = searchParams.get("sslmode") ?? (searchParams.has("ssl") ? "require" : "disable")
  const root = searchParams.get("sslrootcert")
  const certFile = searchParams.get("sslcert")
  const keyFile = searchParams.get("sslkey")
  return {
    mode: tlsModes.find((known) => known === mode) ?? "verify-full",
    rootFile: root === null || root === "system" ? undefined : root,
    client: certFile === null || keyFile === null ? undefined : { certFile, keyFile }
  }
}

/** Returns a number that is higher the stricter the verification is. */
const strengthOf = ({ mode, rootFile }: TlsSettings): number =>
  tlsModes.indexOf(mode === "require" && rootFile !== undefined ? "verify-ca" : mode)

/** Returns whether the first connection is encrypted or verified less strictly than the second one. */
export const isWeaker = (a: TlsSettings, b: TlsSettings): boolean => strengthOf(a) < strengthOf(b)

/** A certificate or key file cannot be read or used. */
export class TlsFileUnusable extends Error {
  override readonly name = "TlsFileUnusable"
  /** The names of the URL parameters whose files cannot be used. */
  readonly parameters: string
  readonly reason: string
  constructor(parameters: string, reason: string) {
    super(`${parameters}: ${reason}`)
    this.parameters = parameters
    this.reason = reason
  }
}

const read = (parameter: string, file: string): Effect.Effect<Buffer, TlsFileUnusable> =>
  Effect.tryPromise({
    try: () => readFile(file),
    catch: (error) => new TlsFileUnusable(parameter, errorCode(error) ?? "unknown error")
  })

/**
 * Reads the certificate files and returns the TLS options of a connection, or false if it is not encrypted. Every
 * connection reads the files again, so a renewed certificate takes effect without a restart.
 */
export const readTlsOptions = Effect.fnUntraced(function*(
  { client, mode, rootFile }: TlsSettings
): Effect.fn.Return<ConnectionOptions | false, TlsFileUnusable> {
  if (mode === "disable") return false
  const ca = rootFile === undefined ? undefined : yield* read("sslrootcert", rootFile)
  const clientFiles = client === undefined
    ? {}
    : { cert: yield* read("sslcert", client.certFile), key: yield* read("sslkey", client.keyFile) }
  const secureContext = yield* Effect.try({
    try: () => createSecureContext({ ...ca === undefined ? {} : { ca }, ...clientFiles }),
    catch: (error) =>
      new TlsFileUnusable(
        client === undefined ? "sslrootcert" : "sslcert or sslkey",
        errorCode(error) ?? "unknown error"
      )
  })
  return {
    secureContext,
    // With `require` and no `sslrootcert`, accept every certificate, as libpq does.
    rejectUnauthorized: mode !== "require" || ca !== undefined,
    ...mode === "verify-full" ? {} : { checkServerIdentity: () => undefined }
  }
})
