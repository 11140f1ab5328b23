import { sandboxCpf } from "@lastro/domain/adapters"
import { completeCpf } from "@lastro/domain/values"
import { Effect, Schedule, type Scope } from "effect"
import { ask, at, type Reply, signIn, tokenOf } from "../running/asking.ts"
import { idOf, isSettled, patientClient } from "../running/desk.ts"
import { type RunningServer } from "../running/serving.ts"

/** Requests that run on all nodes until the scope closes. Times are in monotonic milliseconds. */
export interface Load {
  /** The ids of the partners whose creation was acknowledged, or that a list contained. */
  readonly seen: ReadonlySet<string>
  /** Number of acknowledged creations. */
  readonly acknowledged: () => number
  /** Number of requests that failed with 503. */
  readonly unavailable: () => number
  /** Responses that are neither a success nor a 503. */
  readonly problems: ReadonlyArray<string>
  /** Returns the time at which a node acknowledged its first creation that was sent after a time. Waits for it. */
  readonly backAfter: (node: number, since: number) => Effect.Effect<number>
  /** Opens an application on each node, and waits until its quote has offers. */
  readonly quote: Effect.Effect<void>
}

const requestTimeout = "20 seconds"

/** Creates and lists partners on each node, in three loops that pause 20 ms after each response. */
export const startLoad = Effect.fnUntraced(function*(
  nodes: ReadonlyArray<RunningServer>
): Effect.fn.Return<Load, never, Scope.Scope> {
  const tokens = yield* Effect.forEach(nodes, (node) => Effect.map(signIn(node), tokenOf))
  const seen = new Set<string>()
  const problems: Array<string> = []
  const acknowledged: Array<{ readonly node: number; readonly sent: number; readonly at: number }> = []
  let unavailable = 0
  let number = 0

  const judge = (reply: Reply, expected: number): boolean => {
    if (reply.status === expected) return true
    if (reply.status === 503) unavailable++
    else problems.push(`${reply.status}: ${reply.text}`)
    return false
  }
  const send = (request: Effect.Effect<Reply>) =>
    Effect.catchCause(Effect.asSome(Effect.timeout(request, requestTimeout)), () => {
      problems.push("no response")
      return Effect.succeedNone
    })
  const create = Effect.fnUntraced(function*(node: RunningServer, index: number) {
    const sent = performance.now()
    const partner = {
      type: "pf",
      name: `Shop ${number}`,
      email: "shop@example.com",
      phone: "11987654321",
      document_number: completeCpf(String(100_000_000 + number++))
    }
    const reply = yield* send(ask(node, "/api/v1/partners", { token: tokens[index] ?? "", json: { partner } }))
    if (reply._tag === "None" || !judge(reply.value, 201)) return
    seen.add(reply.value.headers.get("location")?.split("/").at(-1) ?? "")
    acknowledged.push({ node: index, sent, at: performance.now() })
  })
  const list = Effect.fnUntraced(function*(node: RunningServer, index: number) {
    const reply = yield* send(
      ask(node, "/api/v1/partners?size=5&sort=created_at,desc", { token: tokens[index] ?? "" })
    )
    if (reply._tag === "None" || !judge(reply.value, 200)) return
    for (let row = 0; row < 5; row++) {
      const id = at(reply.value, "content", row, "partner_id")
      if (typeof id === "string") seen.add(id)
    }
  })
  yield* Effect.forEach(
    nodes,
    (node, index) =>
      Effect.all(
        [create, create, list].map((work) =>
          Effect.forkScoped(Effect.forever(Effect.andThen(work(node, index), Effect.sleep("20 millis"))))
        )
      )
  )
  let customers = 0
  return {
    seen,
    problems,
    acknowledged: () => acknowledged.length,
    unavailable: () => unavailable,
    backAfter: (node, since) =>
      Effect.suspend(() =>
        Effect.fromNullishOr(acknowledged.find((creation) => creation.node === node && creation.sent >= since)?.at)
      )
        .pipe(
          Effect.retry({ schedule: Schedule.spaced("20 millis") }),
          Effect.timeout("30 seconds"),
          Effect.orDie
        ),
    quote: Effect.forEach(nodes, (node, index) =>
      Effect.gen(function*() {
        const desk = patientClient(node, tokens[index] ?? "")
        yield* desk.until(idOf(yield* desk.open(sandboxCpf("00", customers++))), isSettled)
      }), { concurrency: "unbounded", discard: true })
  }
})
