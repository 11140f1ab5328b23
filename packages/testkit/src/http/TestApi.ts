import { type MountOptions } from "@lastro/adapters-http"
import { type Somebody } from "../world/callers.ts"
import { type TestLastro, type TestWorld } from "../world/TestLastro.ts"
import { type WorldOptions } from "../world/WorldOptions.ts"

/**
 * How the API of a test is served: at `http://lastro.test` unless an issuer is given, and without limits, as a clock that stands
 * still fills no bucket.
 */
export interface TestApiOptions extends WorldOptions, Partial<Omit<MountOptions, "patience">> {}

/** A request of a test. */
export interface TestRequest extends RequestInit {
  /** Who asks, by an access token of theirs: somebody who is stored, or who is described and stored first. */
  readonly as?: Somebody | undefined
  /** A body that is sent as JSON. */
  readonly json?: unknown
}

/** An API that is served over a test's world. */
export interface ServedApi {
  /**
   * Answers a request for a path, `/api/v1/partners`, or for a link of an answer, within this process: a POST where it has a body,
   * else a GET, unless told.
   */
  readonly fetch: (path: string, request?: TestRequest) => Promise<Response>
  /**
   * Serves the API at a port of this machine until it is closed, and gives the URL to reach it below; the same one each time. Rejects
   * with `LastroClosed` once it is closed.
   */
  readonly listen: () => Promise<string>
}

/** A test's world whose API is served, with another lender than the one that a test scripts. */
export interface TestApiWorld extends ServedApi, TestWorld {}

/** A test's world whose API is served. */
export interface TestApi extends ServedApi, TestLastro {}
