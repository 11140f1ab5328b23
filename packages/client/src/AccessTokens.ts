import { LastroError } from "./LastroError.ts"
import { withSignal } from "./retry.ts"
import { type TokenRequest, type TokenResponse } from "./types.ts"

/** The credentials of an API client. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The credentials of a user. Optional: those of the API client through which the user signs in. */
export interface UserCredentials {
  readonly email: string
  readonly password: string
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
}

/** A function that returns an access token. For browsers, because a page must not contain a secret. */
export interface OwnTokens {
  readonly token: () => Promise<string>
}

/** The source of access tokens. */
export type Credentials = ClientCredentials | UserCredentials | OwnTokens

/** An access token. After `renewAt`, in milliseconds since 1970, it is no longer used. */
interface Held {
  readonly token: string
  readonly renewAt: number
  readonly refresh_token: string | undefined
}

/** Returns the time at which to renew a token: a minute before its expiry, or later if its lifetime is short. */
const renewalTime = (now: number, lifeMs: number): number => now + lifeMs - Math.min(60_000, lifeMs / 5)

/**
 * Returns the expiry of a JSON Web Token in milliseconds since 1970, or infinity for any other token. If a new token
 * has already expired, the clock is wrong, so its expiry is ignored.
 */
const endOfToken = (token: string, now: number): number => {
  try {
    const payload = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? ""
    const { exp } = Object(JSON.parse(atob(payload)))
    return typeof exp === "number" && 1_000 * exp > now ? 1_000 * exp : Infinity
  } catch {
    return Infinity
  }
}

/** Holds the access token of a client. Simultaneous calls share one request for a token. */
export class AccessTokens {
  readonly #credentials: Credentials
  readonly #issue: (request: TokenRequest) => Promise<TokenResponse>
  #renewal: Promise<Held> | undefined
  #held: Held | undefined

  constructor(credentials: Credentials, issue: (request: TokenRequest) => Promise<TokenResponse>) {
    this.#credentials = credentials
    this.#issue = issue
  }

  /** Returns an access token that does not expire soon. The signal cancels only this caller's wait. */
  async get(signal: AbortSignal | undefined): Promise<string> {
    if (this.#held !== undefined && this.#held.renewAt > Date.now()) return this.#held.token
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return (await withSignal(this.#renewal, signal)).token
  }

  /** Drops a token that the server has refused. Does nothing if another call has already renewed the token. */
  drop(token: string): void {
    if (this.#held?.token === token) this.#held = { ...this.#held, renewAt: 0 }
  }

  async #renew(): Promise<Held> {
    const held = await this.#request(this.#held?.refresh_token)
    this.#held = held
    return held
  }

  async #request(refresh_token: string | undefined): Promise<Held> {
    // A credential can also be undefined, for example one from an environment variable.
    const credentials: Partial<OwnTokens & UserCredentials> = this.#credentials
    if (credentials.token !== undefined) {
      const token = await credentials.token()
      const now = Date.now()
      return { token, renewAt: renewalTime(now, endOfToken(token, now) - now), refresh_token: undefined }
    }
    const { clientId: client_id, clientSecret: client_secret, email: username, password = "" } = credentials
    const client = {
      ...client_id === undefined ? {} : { client_id },
      ...client_secret === undefined ? {} : { client_secret }
    }
    if (username === undefined) return this.#signIn({ grant_type: "client_credentials", ...client })
    const signIn = () => this.#signIn({ grant_type: "password", username, password, ...client })
    if (refresh_token === undefined) return signIn()
    return this.#signIn({ grant_type: "refresh_token", refresh_token, ...client }).catch((error: unknown) => {
      // The session has ended.
      if (error instanceof LastroError && error.code === "invalid_grant") return signIn()
      throw error
    })
  }

  async #signIn(request: TokenRequest): Promise<Held> {
    const sentAt = Date.now()
    const { access_token, expires_in, refresh_token } = await this.#issue(request)
    return { token: access_token, renewAt: renewalTime(sentAt, 1_000 * expires_in), refresh_token }
  }
}
