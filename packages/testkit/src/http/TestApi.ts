import type { MountOptions } from "@lastro/adapters-http"
import { type CallerReference } from "../fixture/callers.ts"
import { type TestFixture, type TestLastro, type TestOptions } from "../fixture/TestLastro.ts"

/**
 * Options of a test API. Default issuer: `http://lastro.test`. Default rate limits: none, because an exhausted limit
 * would stay exhausted until the test advances the clock.
 */
export interface TestApiOptions extends TestOptions, Partial<Omit<MountOptions, "closeTimeout">> {}

/** Options of a request, in addition to those of `fetch`. */
export interface TestRequest extends RequestInit {
  /** The caller whose access token is sent. A builder is stored at its first use. */
  readonly as?: CallerReference | undefined
  /** A body to send as JSON. */
  readonly json?: unknown
}

/** The HTTP API of a test fixture. */
export interface ServedApi {
  /**
   * Answers a request within this process. `path` is a path such as `/api/v1/partners`, or a link from a response.
   * Default method: POST with a body, GET without.
   */
  readonly fetch: (path: string, request?: TestRequest) => Promise<Response>
  /**
   * Serves the API on a local port until the fixture is closed. Returns the base URL. Rejects with `LastroClosed` after
   * `close`.
   */
  readonly listen: () => Promise<string>
}

/** A test fixture with an API and without a scripted lender. */
export interface TestApiFixture extends ServedApi, TestFixture {}

/** A test fixture with an API and a scripted lender. */
export interface TestApi extends ServedApi, TestLastro {}
