import { LruCache } from "@lastro/domain/values"
import { type AnonymousWork } from "./AnonymousWork.ts"
import { VerificationPacer } from "./VerificationPacer.ts"

/** Verifies the token of an `Authorization` header, and calls `onVerified` once. */
export type VerifyToken = (authorization: string, onVerified: (isValid: boolean) => void) => void

/** A request that may run. */
export interface BegunRequest {
  /** The key under which admission counts the request: the caller if its token is known, or else the network. */
  readonly caller: string
  /** Stores the verified caller of the token. */
  readonly identify: (caller: string) => void
  /** Ends the request with the status of its response. */
  readonly end: (status: number) => void
}

/** The limits of the caches of `Authorization` headers: the length of a header, and the number of headers in each. */
const cached = { length: 4_096, callers: 10_000, refused: 1_000 }

const unauthenticated = 401

/**
 * Returns the key of a header in the cache: its last characters, which are a part of the signature. It is short,
 * because V8 hashes the whole text of a key.
 */
const keyOf = (header: string): string => header.slice(-32)

/** The syntax of a header with an access token. A header with another syntax is rejected without a verification. */
const hasTokenSyntax = /^bearer +[\w-]+\.[\w-]+\.[\w-]+ *$/i

/**
 * Limits requests with an invalid token per network. A token that was valid before passes at once. After the network
 * has reached its limit, every other token is verified first: a valid token still passes, an invalid one is rejected.
 */
export class TokenGate {
  readonly #anonymous: AnonymousWork
  readonly #verify: VerifyToken
  /** The callers of valid tokens (see {@link keyOf}). */
  readonly #callers = new LruCache<string, { readonly header: string; readonly caller: string }>(cached.callers)
  /** Headers whose token has a valid signature, but no active caller. */
  readonly #refused = new LruCache<string, true>(cached.refused)
  readonly #pacer = new VerificationPacer()

  constructor(anonymous: AnonymousWork, verify: VerifyToken) {
    this.#anonymous = anonymous
    this.#verify = verify
  }

  /**
   * Calls `onBegun` if the request may run, and otherwise `onRefused`. Calls `network` only if the token is unknown or
   * no longer valid.
   */
  begin(
    authorization: string | undefined,
    network: () => string,
    onBegun: (begun: BegunRequest) => void,
    onRefused: () => void
  ): void {
    const header = authorization !== undefined && authorization.length <= cached.length ? authorization : undefined
    /**
     * Returns a request that may run. Caches its verified caller, and removes it after a 401. At the end, calls `onEnd`
     * with the validity of the token.
     */
    const request = (caller: string, onEnd: (isValid: boolean) => void): BegunRequest => ({
      caller,
      identify: (identified) => {
        if (header !== undefined && identified !== caller) {
          this.#callers.set(keyOf(header), { header, caller: identified })
        }
      },
      end: (status) => {
        const isValid = status !== unauthenticated
        if (!isValid && header !== undefined && this.#callerOf(header) !== undefined) {
          this.#callers.delete(keyOf(header))
        }
        onEnd(isValid)
      }
    })
    const caller = header === undefined ? undefined : this.#callerOf(header)
    if (caller !== undefined) {
      return onBegun(request(caller, (isValid) => {
        if (!isValid) this.#anonymous.takeToken(network())
      }))
    }
    const client = network()
    const unknownCaller = `address:${client}`
    if (this.#anonymous.takeToken(client)) {
      return onBegun(request(unknownCaller, (isValid) => {
        if (isValid) this.#anonymous.returnToken(client)
      }))
    }
    if (header === undefined || !hasTokenSyntax.test(header) || this.#refused.get(header) === true) return onRefused()
    const verify = () =>
      this.#verify(header, (isSignatureValid) => {
        if (!isSignatureValid) return onRefused()
        return onBegun(request(unknownCaller, (isValid) => {
          if (!isValid) this.#refused.set(header, true)
        }))
      })
    return this.#pacer.verify(verify, onRefused)
  }

  #callerOf(header: string): string | undefined {
    const known = this.#callers.get(keyOf(header))
    return known?.header === header ? known.caller : undefined
  }
}
