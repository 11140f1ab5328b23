import { type MountOptions } from "@lastro/adapters-http"
import { type CallerReference } from "../fixture/callers.ts"
import { type TestFixture, type TestLastro, type TestOptions } from "../fixture/TestLastro.ts"

/**
 * Options of a test API. Default issuer: `http://lastro.test`. Rate limits default to off, because a manual clock never refills
 * them.
 */
export interface TestApiOptions extends TestOptions, Partial<Omit<MountOptions, "closeTimeout">> {}

/** A request of a test. */
export interface TestRequest extends RequestInit {
  /** The caller, whose access token is sent. A described caller is stored first. */
  readonly as?: CallerReference | undefined
  /** A body to send as JSON. */
  readonly json?: unknown
}

/** An API over a test fixture. */
export interface ServedApi {
  /**
   * Answers a request in process. `path` is a path such as `/api/v1/partners`, or a link from a response. Default method: POST with
   * a body, GET without.
   */
  readonly fetch: (path: string, request?: TestRequest) => Promise<Response>
  /** Serves the API on a local port until it is closed and returns its base URL. Rejects with `LastroClosed` once closed. */
  readonly listen: () => Promise<string>
}

/** A test fixture with an API and your own lender. */
export interface TestApiFixture extends ServedApi, TestFixture {}

/** A test fixture with an API and a scripted lender. */
export interface TestApi extends ServedApi, TestLastro {}
