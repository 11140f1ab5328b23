import { layerTokens } from "@lastro/adapters-http/security"
import { PortsOfJobs } from "@lastro/domain/jobs"
import { openLastro } from "@lastro/domain/promises"
import { completeCpf } from "@lastro/domain/values"
import { layerMemory } from "@lastro/testkit"
import { Layer, Logger, Result } from "effect"

/** The base URL of the API under test. */
export const issuer = "https://lastro.test/lending"

/** Opens in-memory ports with a bootstrapped client, and collects their log lines. */
export const openFixture = async (of = issuer) => {
  const logs: Array<string> = []
  const logging = Logger.layer([Logger.map(Logger.formatJson, (line) => {
    logs.push(line)
  })])
  const lastro = await openLastro(
    layerTokens({ issuer: of }).pipe(Layer.provideMerge(layerMemory), Layer.provideMerge(logging))
  )
  const { client_id = "", client_secret = "" } = Result.getOrThrow(await lastro.bootstrap()) ?? {}
  // Tests replace ports for the use cases alone.
  const layer = Layer.merge(lastro.layer, Layer.succeed(PortsOfJobs, null))
  return { lastro, layer, logs, form: { grant_type: "client_credentials", client_id, client_secret } }
}

/** A body that creates a partner. Each number is another partner. */
export const partner = (number: number) => ({
  partner: {
    type: "pf",
    name: "Loja Avenida",
    email: "loja@example.com",
    phone: "11987654321",
    document_number: completeCpf(String(number).padStart(9, "0"))
  }
})

/** A body that creates an application. */
export const application = {
  external_id: "loan-1",
  customer: { cpf: completeCpf("222333444"), birth_date: "1990-05-17", name: "Ana Souza" }
}

/** A Fetch handler. */
export type Fetch = (request: Request) => Promise<Response>

/** Makes a client of the API at a base URL, with its own access token. */
export const clientOf = async (
  { base, fetch, form }: {
    readonly base: string
    readonly fetch: Fetch
    readonly form: Readonly<Record<string, string>>
  }
) => {
  const issued = await fetch(
    new Request(`${base}/api/v1/oauth/token`, { method: "POST", body: new URLSearchParams(form) })
  )
  const { access_token } = await issued.json() as { readonly access_token: string }
  const authorization = `Bearer ${access_token}`
  const send = (url: string, { body, headers, ...init }: RequestInit = {}): Promise<Response> =>
    fetch(
      new Request(new URL(url, base), {
        ...init,
        headers: {
          authorization,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        },
        ...(body === undefined ? {} : { body, duplex: "half" })
      })
    )
  return {
    authorization,
    send,
    get: (path: string, init?: RequestInit) => send(`${base}${path}`, init),
    post: (path: string, json: unknown, headers: Record<string, string> = {}) =>
      send(`${base}${path}`, { method: "POST", body: JSON.stringify(json), headers })
  }
}

/** The code of an error envelope. */
export const codeOf = async (response: Response): Promise<unknown> =>
  (await response.json() as { readonly error?: { readonly code?: unknown } }).error?.code
