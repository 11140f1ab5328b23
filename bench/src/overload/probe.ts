import { Agent, get } from "node:http"

/** The result of repeated requests to one URL. Times are in milliseconds. */
export interface Probed {
  readonly count: number
  readonly p50: number
  readonly slowest: number
  /** Number of requests without a 200 response. */
  readonly failed: number
}

const pauseMs = 50

const ask = (agent: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode === 200))
    }).once("error", () => resolve(false))
  })

/** Sends a request every 50 ms, one at a time, until the returned function is called. */
export const probe = (url: string, headers: Readonly<Record<string, string>> = {}): () => Promise<Probed> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: Array<number> = []
  let failed = 0
  let isOver = false
  const sent = (async () => {
    while (!isOver) {
      const start = performance.now()
      if (!await ask(agent, url, headers)) failed += 1
      times.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })()
  return async () => {
    isOver = true
    await sent
    agent.destroy()
    const sorted = times.toSorted((one, other) => one - other)
    return { count: times.length, p50: sorted[sorted.length >> 1] ?? Number.NaN, slowest: sorted.at(-1) ?? Number.NaN, failed }
  }
}
