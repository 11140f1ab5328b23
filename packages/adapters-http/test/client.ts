import { Effect } from "effect"

/** A response. `body` is its JSON; undefined without one. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

/** A request. Sends `json` as JSON, `form` as form fields, or `body` unchanged. */
export interface Sent {
  readonly method?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream
}

const contentOf = ({ body, form, json }: Sent): { readonly type?: string; readonly body?: Sent["body"] } =>
  json !== undefined
    ? { type: "application/json", body: JSON.stringify(json) }
    : form !== undefined
    ? { type: "application/x-www-form-urlencoded", body: new URLSearchParams(form).toString() }
    : { body }

/** Sends a request with the platform's fetch and reads the response. */
export const send = (url: string) => (path: string, sent: Sent = {}): Effect.Effect<Reply> =>
  Effect.promise(async (signal) => {
    const { body, type } = contentOf(sent)
    const response = await fetch(`${url}${path}`, {
      method: sent.method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(type === undefined ? {} : { "content-type": type }),
        ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
        ...sent.headers
      },
      ...(body === undefined ? {} : { body, duplex: "half" }),
      signal
    })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== "" ? JSON.parse(text) as unknown : undefined
    }
  })

/** The value at a path of the response JSON; undefined if absent. */
export const at = ({ body }: Reply, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((value, key) => Object(value)[key] as unknown, body)

/** The code of an error envelope. */
export const codeOf = (reply: Reply): unknown => at(reply, "error", "code")

/** The problems of an error envelope as `field CODE`, sorted. */
export const problemsOf = (reply: Reply): ReadonlyArray<string> =>
  (at(reply, "error", "details") as ReadonlyArray<{ readonly field: string; readonly code: string }>)
    .map(({ code, field }) => `${field} ${code}`).toSorted()
