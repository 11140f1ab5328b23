import { type Duration } from "effect"
import { type IpNetwork } from "effect/net"
import { type RateLimit } from "../limits/RateLimit.ts"
import { type Console } from "./Console.ts"
import { type OpenDocument } from "./servedDocuments.ts"

/** Options of the API. Only `issuer` is required. */
export interface ServingOptions {
  /**
   * The base URL of the API, equal to the issuer of its access tokens. A trailing slash is removed. Its path is the
   * prefix of every path that the API returns: `Location`, the servers in the OpenAPI document, and the metadata.
   */
  readonly issuer: string
  /** Rate limit per caller. Default: 50 requests per second in bursts of 100. */
  readonly callerLimit?: RateLimit | undefined
  /** Rate limit of token operations per client address. Default: 10 requests per second in bursts of 50. */
  readonly tokenLimit?: RateLimit | undefined
  /** Proxies whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork> | undefined
  /**
   * Maximum time of a request. After it, the response is 503, with the code `OUTCOME_UNKNOWN` if the request may have
   * changed something. In a long poll, it starts after the wait that the client requested. Default: 15 s.
   */
  readonly requestTimeout?: Duration.Input | undefined
  /**
   * If false, `/docs`, `/openapi.json`, `/openapi.yaml`, `/llms.txt` and the icons of these pages do not exist.
   * Default: true.
   */
  readonly documentation?: boolean | undefined
  /** If false, only documents, the console and the health checks are served. Default: true. */
  readonly operations?: boolean | undefined
  /** The pages for people at `/console`, made by `makeConsole` of `@lastro/adapters-http/console`. Default: none. */
  readonly console?: Console | undefined
  /** Additional documents to serve. Default: none. */
  readonly documents?: ReadonlyArray<OpenDocument> | undefined
}
