import { Effect, Fiber } from "effect"
import { Agent, get } from "node:http"
import { ascending, quantile } from "../measure/quantile.ts"

/** The result of repeated requests to one URL. Times are in milliseconds. */
export interface Probed {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly slowest: number
  /** Number of requests without a 200 response. */
  readonly failed: number
}

const ask = (agent: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode === 200))
    }).once("error", () => resolve(false))
  })

/**
 * Sends a request every 50 ms, one at a time, while an effect runs. Returns the result of the effect and of the
 * requests. Without `keepsAlive`, each request has a new connection.
 */
export const probing = Effect.fn("probing")(function*<A, E, R>(
  url: string,
  headers: Readonly<Record<string, string>>,
  run: Effect.Effect<A, E, R>,
  keepsAlive = true
): Effect.fn.Return<readonly [A, Probed], E, R> {
  const agent = new Agent({ keepAlive: keepsAlive, maxSockets: 1 })
  const times: Array<number> = []
  let failed = 0
  const once = Effect.gen(function*() {
    const start = performance.now()
    if (!(yield* Effect.promise(() => ask(agent, url, headers)))) failed += 1
    times.push(performance.now() - start)
    yield* Effect.sleep("50 millis")
  })
  const sending = yield* Effect.forkChild(Effect.forever(once))
  const result = yield* run
  yield* Fiber.interrupt(sending)
  agent.destroy()
  const sorted = ascending(times)
  return [result, {
    count: times.length,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    slowest: sorted.at(-1) ?? Number.NaN,
    failed
  }]
})
