import { LruCache } from "@lastro/domain/values"
import { type AnonymousWork } from "./AnonymousWork.ts"
import { VerificationPacer } from "./VerificationPacer.ts"

/** Verifies the token of an `Authorization` header, and calls `onVerified` once. */
export type VerifyToken = (authorization: string, onVerified: (isValid: boolean) => void) => void

/** A request that may run. */
export interface BegunRequest {
  /** The key by which admission counts the request: its caller if its token is known, or else its network. */
  readonly caller: string
  /** Remembers the verified caller of the token. */
  readonly identify: (caller: string) => void
  /** Ends the request with the status of its response. */
  readonly end: (status: number) => void
}

/** The limits of the caches of `Authorization` headers: the length of a header, and the number of headers. */
const remembered = { length: 4_096, callers: 10_000, refused: 1_000 }

const unauthenticated = 401

/** The syntax of a header with an access token. A header with another syntax is refused without a verification. */
const hasTokenSyntax = /^bearer +[\w-]+\.[\w-]+\.[\w-]+ *$/i

/**
 * Limits requests with an invalid token by network. A token that was valid before passes at once. If its network has
 * reached the limit, any other token is verified before its request is refused, so that a valid token passes.
 */
export class TokenGate {
  readonly #anonymous: AnonymousWork
  readonly #verify: VerifyToken
  /** The callers of valid tokens, by `Authorization` header. */
  readonly #callers = new LruCache<string, string>(remembered.callers)
  /** The headers whose token has a valid signature, but no active caller. */
  readonly #refused = new LruCache<string, true>(remembered.refused)
  readonly #pacer = new VerificationPacer()

  constructor(anonymous: AnonymousWork, verify: VerifyToken) {
    this.#anonymous = anonymous
    this.#verify = verify
  }

  /** Calls `onBegun` if the request may run, or else `onRefused`. `network` is called only if the token is unknown. */
  begin(
    authorization: string | undefined,
    network: () => string,
    onBegun: (begun: BegunRequest) => void,
    onRefused: () => void
  ): void {
    const header = authorization !== undefined && authorization.length <= remembered.length ? authorization : undefined
    /** Builds a request that may run. Calls `settle` at its end, with the validity of its token. */
    const request = (caller: string, settle: (isValid: boolean) => void): BegunRequest => ({
      caller,
      identify: (identified) => {
        if (header !== undefined && identified !== caller) this.#callers.set(header, identified)
      },
      end: (status) => {
        const isValid = status !== unauthenticated
        if (!isValid && header !== undefined) this.#callers.delete(header)
        settle(isValid)
      }
    })
    const caller = header === undefined ? undefined : this.#callers.get(header)
    if (caller !== undefined) {
      return onBegun(request(caller, (isValid) => {
        if (!isValid) this.#anonymous.takeToken(network())
      }))
    }
    const client = network()
    const unknown = `address:${client}`
    if (this.#anonymous.takeToken(client)) {
      return onBegun(request(unknown, (isValid) => {
        if (isValid) this.#anonymous.returnToken(client)
      }))
    }
    if (header === undefined || !hasTokenSyntax.test(header) || this.#refused.get(header) === true) return onRefused()
    const verify = () =>
      this.#verify(header, (isSignatureValid) => {
        if (!isSignatureValid) return onRefused()
        return onBegun(request(unknown, (isValid) => {
          if (!isValid) this.#refused.set(header, true)
        }))
      })
    return this.#pacer.verify(verify, onRefused)
  }
}
