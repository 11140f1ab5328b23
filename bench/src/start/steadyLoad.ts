import { Effect } from "effect"
import { Agent, get } from "node:http"

/** Requests to send, their rate and the duration. */
export interface SteadyLoad {
  readonly url: string
  readonly token: string | undefined
  readonly perSecond: number
  readonly seconds: number
}

/** Number of concurrent connections, each with one request at a time. */
const connections = 16

/** Sends one request. Resolves to false if the server rejects it because of overload. */
const ask = (agent: Agent, { token, url }: SteadyLoad): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    get(url, { agent, headers }, (answer) => {
      answer.resume().once("end", () =>
        answer.statusCode === 200 || answer.statusCode === 503
          ? resolve(answer.statusCode === 200)
          : reject(new Error(`${url} returned status ${answer.statusCode}`)))
    }).once("error", reject)
  })

/**
 * Sends requests at a steady rate. If the server is too slow, the rate drops. Returns the number of responses per
 * second, without rejected requests.
 */
export const steadyLoad = (load: SteadyLoad): Effect.Effect<number> =>
  Effect.gen(function*() {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    const start = performance.now()
    const end = start + load.seconds * 1_000
    const step = connections * 1_000 / load.perSecond
    let answered = 0
    const work = Effect.fnUntraced(function*(first: number) {
      for (let due = first; due < end; due += step) {
        yield* Effect.sleep(Math.max(0, due - performance.now()))
        if (performance.now() >= end) return
        if (yield* Effect.promise(() => ask(agent, load))) answered += 1
      }
    })
    const firsts = Array.from({ length: connections }, (_, index) => start + index * step / connections)
    yield* Effect.forEach(firsts, work, { concurrency: "unbounded", discard: true })
    agent.destroy()
    return answered * 1_000 / (performance.now() - start)
  })
