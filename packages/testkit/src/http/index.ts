import type { MountOptions } from "@lastro/adapters-http"
import { type Lender } from "@lastro/domain/lender"
import { Layer } from "effect"
import { type CallerReference } from "../fixture/callers.ts"
import { closeTimeout, openFixture } from "../fixture/openFixture.ts"
import { type TestFixture, type TestLastro, type TestOptions, type WithLender } from "../fixture/TestLastro.ts"
import { makeTestLender } from "../fixture/TestLender.ts"
import { layerScriptedLender } from "../lender/layerScriptedLender.ts"
import { startLocalServer } from "../lender/localServer.ts"
import { ScriptedLender } from "../lender/ScriptedLender.ts"
import { layerIdGenerator } from "../memory/ports.ts"

/**
 * Options of a test API. Default issuer: `http://lastro.test`. There are no rate limits by default, because a limit
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

const toRequestInit = async (
  { as, json, ...init }: TestRequest,
  { request_id, tokenFor }: Pick<TestFixture, "tokenFor"> & { readonly request_id: string }
): Promise<RequestInit> => {
  const headers = new Headers(init.headers)
  if (!headers.has("x-request-id")) headers.set("x-request-id", request_id)
  if (as !== undefined) headers.set("authorization", `Bearer ${await tokenFor(as)}`)
  if (json !== undefined) headers.set("content-type", "application/json")
  const body = json === undefined ? init.body : JSON.stringify(json)
  const method = init.method ?? (body === undefined || body === null ? "GET" : "POST")
  return { ...init, method, headers, ...(body === undefined ? {} : { body }) }
}

/** Returns a request id. It is a UUID, because logs and the audit keep no other form (AUDIT-04). */
const testRequestId = (request: number): string => `f0000000-0000-4000-8000-${String(request).padStart(12, "0")}`

const openApi = async <L>(
  lender: Layer.Layer<L | Lender>,
  { ids, issuer = "http://lastro.test", logs, now, replace, secrets, ...options }: TestApiOptions
) => {
  // The modules of the API are loaded only here, because this takes more than half of the processor time of a start.
  const [{ layerTokens }, { mountNodeApi }] = await Promise.all([
    import("@lastro/adapters-http/security"),
    import("@lastro/adapters-http/node")
  ])
  // Token ids have a sequence of their own, so that signing in does not change the ids of records.
  const tokens = Layer.orDie(Layer.provide(layerTokens({ issuer }), Layer.fresh(layerIdGenerator)))
  const parts = { lender, tokens }
  const { closesWith, ensureOpen, fixture, layer, run } = await openFixture(parts, { ids, logs, now, replace, secrets })
  // With this `concurrency`, no request is refused with 503, even on a slow machine.
  const limits = { callerLimit: "off", tokenLimit: "off", anonymousLimit: "off", concurrency: 1_000 } as const
  const mounting = mountNodeApi(layer, { ...limits, ...options, issuer, closeTimeout })
  const api = await mounting.catch(async (error: unknown) => {
    await fixture.close()
    throw error
  })
  closesWith(api.close)
  const basePath = new URL(issuer).pathname.replace(/\/$/, "")
  const prefix = options.prefix?.replace(/\/$/, "") ?? basePath
  let requests = 0
  let server: ReturnType<typeof startLocalServer> | undefined
  // If the server failed to start, there is nothing to close: `listen` has already rejected.
  closesWith(async () => (await server?.catch(() => undefined))?.close())
  const listen = async () => {
    ensureOpen()
    // After a failure, the next call starts the server again.
    server ??= startLocalServer(api.handle).catch((error: unknown) => {
      server = undefined
      throw error
    })
    return `${(await server).url}${prefix}`
  }
  const fetch: ServedApi["fetch"] = async (path, request = {}) => {
    // Each request gets an id here. Otherwise the API would take the next record id.
    const init = await toRequestInit(request, { ...fixture, request_id: testRequestId(++requests) })
    // Links in responses start with the path of the issuer, even if the API is mounted under another prefix.
    const relative = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
    return api.fetch(new Request(new URL(`${prefix}${relative}`, issuer), init), { remote_address: "127.0.0.1" })
  }
  return { run, fixture: { ...fixture, fetch, listen } }
}

const openScripted = async (options: TestApiOptions): Promise<TestApi> => {
  const { fixture, run } = await openApi(layerScriptedLender, options)
  return { ...fixture, lender: makeTestLender(await run(ScriptedLender)) }
}

/**
 * Opens the whole HTTP API over a fixture like that of `openTestLastro`, with the lender in `options`. Access tokens
 * are signed as in production. For tests of API clients, in this process or over a local port.
 */
export function openTestApi(options: TestApiOptions & WithLender): Promise<TestApiFixture>
/** Opens the whole HTTP API over a fixture with a scripted lender. */
export function openTestApi(options?: TestApiOptions): Promise<TestApi>
export async function openTestApi(
  { lender, ...options }: Partial<WithLender> & TestApiOptions = {}
): Promise<TestApiFixture> {
  return lender === undefined ? openScripted(options) : (await openApi(lender, options)).fixture
}
