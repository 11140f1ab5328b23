import { Effect, Exit } from "effect"
import { requestName } from "../ordeal/Traffic.ts"
import { ask, type Reply, type Sent, signIn, tokenOf } from "../running/asking.ts"

/** The number of requests that were sent, and of those without a response or with a status of 500 or above. */
interface Counts {
  readonly sent: number
  readonly failed: number
  /** The failed requests, each with its number. */
  readonly failures: ReadonlyArray<string>
}

/**
 * The nodes that get requests, in turn, as behind a load balancer. A request is sent once and never repeated. While the
 * rotation has no node, requests wait.
 */
export interface Rotation {
  /** Sends a signed-in request to the next node, and counts it. Dies if there is no response. */
  readonly send: (path: string, sent: Sent) => Effect.Effect<Reply>
  /** Adds a node. */
  readonly add: (url: string) => void
  /** Removes a node, and waits until its requests have ended. */
  readonly remove: (url: string) => Effect.Effect<void>
  /** Returns the counts since the last call. */
  readonly take: () => Counts
}

/** Makes an empty rotation. */
export const makeRotation = (): Rotation => {
  const inFlight = new Map<string, number>()
  let nodes: ReadonlyArray<string> = []
  let turn = 0
  let token: string | undefined
  let sent = 0
  let failures = new Map<string, number>()

  const nextNode: Effect.Effect<string> = Effect.suspend(() => {
    const url = nodes[turn++ % Math.max(nodes.length, 1)]
    return url === undefined ? Effect.andThen(Effect.sleep("50 millis"), nextNode) : Effect.succeed(url)
  })

  const count = (name: string, request: (node: { readonly url: string }) => Effect.Effect<Reply>) =>
    Effect.gen(function*() {
      const url = yield* nextNode
      inFlight.set(url, (inFlight.get(url) ?? 0) + 1)
      sent++
      const exit = yield* Effect.exit(Effect.timeout(request({ url }), "30 seconds"))
      inFlight.set(url, (inFlight.get(url) ?? 0) - 1)
      const status = Exit.isSuccess(exit) ? exit.value.status : undefined
      if (status === undefined || status >= 500) {
        const failure = `${name}: ${status ?? "no response"}`
        failures.set(failure, (failures.get(failure) ?? 0) + 1)
      }
      return Exit.isSuccess(exit) ? exit.value : yield* Effect.die("no response")
    })

  return {
    send: Effect.fnUntraced(function*(path, content) {
      for (let attempt = 0;; attempt++) {
        const used = token ?? tokenOf(yield* count("POST /api/v1/oauth/token", (node) => signIn(node)))
        token = used
        const reply = yield* count(requestName(path, content), (node) => ask(node, path, { ...content, token: used }))
        if (reply.status !== 401 || attempt > 0) return reply
        if (token === used) token = undefined
      }
    }),
    add: (url) => {
      nodes = [...nodes, url]
    },
    remove: Effect.fnUntraced(function*(url) {
      nodes = nodes.filter((node) => node !== url)
      while ((inFlight.get(url) ?? 0) > 0) yield* Effect.sleep("20 millis")
    }),
    take: () => {
      const failed = Array.from(failures.values()).reduce((sum, times) => sum + times, 0)
      const taken = { sent, failed, failures: Array.from(failures, ([failure, times]) => `${times} × ${failure}`) }
      sent = 0
      failures = new Map()
      return taken
    }
  }
}
