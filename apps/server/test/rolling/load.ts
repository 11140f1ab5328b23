import { Effect, Fiber } from "effect"
import { Agent, request } from "node:http"

/** A request of the load. */
export interface Sent {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** The status of a success. */
  readonly expected: number
}

interface Counts {
  sent: number
  /** Requests without a response, or with an unexpected status, by reason. */
  readonly failed: Map<string, number>
  /** The longest time of a response in milliseconds, without long polls. */
  slowestMs: number
}

/** Sends a request on the connection of a client. Returns the status, or the code of the connection error. */
const send = (origin: string, agent: Agent, token: string, { headers, json, method, path }: Sent) =>
  new Promise<string>((resolve) => {
    const body = json === undefined ? undefined : JSON.stringify(json)
    const sending = request(`${origin}${path}`, {
      agent,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      }
    }, (response) => {
      response.on("error", () => resolve("response cut"))
      response.resume().on("end", () => resolve(String(response.statusCode)))
    })
    sending.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sending.end(body)
  })

/** A client with one keep-alive connection, which sends its request again `pauseMs` after the response. */
interface Client {
  readonly sent: Sent
  readonly pauseMs: number
}

/** Starts clients, which send requests until `stop` runs. Requests are never repeated after a failure. */
export const startLoad = Effect.fnUntraced(function*(origin: string, token: string, clients: ReadonlyArray<Client>) {
  const counts: Counts = { sent: 0, failed: new Map(), slowestMs: 0 }
  const load = { isRunning: true }
  const sendOnce = async (agent: Agent, sent: Sent): Promise<void> => {
    counts.sent++
    const begun = performance.now()
    const result = await send(origin, agent, token, sent)
    if (!sent.path.includes("wait=")) counts.slowestMs = Math.max(counts.slowestMs, performance.now() - begun)
    if (result === String(sent.expected)) return
    const reason = `${sent.method} ${sent.path.split("?")[0]}: ${result}`
    counts.failed.set(reason, (counts.failed.get(reason) ?? 0) + 1)
  }
  const run = ({ pauseMs, sent }: Client) =>
    Effect.acquireUseRelease(
      Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 1 })),
      (agent) =>
        Effect.promise(() => sendOnce(agent, sent)).pipe(
          Effect.andThen(Effect.sleep(pauseMs)),
          Effect.repeat({ while: () => load.isRunning })
        ),
      (agent) => Effect.sync(() => agent.destroy())
    )
  const running = yield* Effect.forkChild(Effect.forEach(clients, run, { concurrency: "unbounded", discard: true }))
  return {
    stop: Effect.suspend(() => {
      load.isRunning = false
      return Effect.as(Fiber.join(running), counts)
    })
  }
})
