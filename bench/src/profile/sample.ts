import { Effect } from "effect"
import { type Frame, type Part, partOf } from "./parts.ts"

/** A profile as the inspector of Node.js returns it. */
interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
    readonly children?: ReadonlyArray<number>
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** Maximum time for a profile and the load during it. */
const sampleTimeout = "2 minutes"

/** Microseconds between two samples. */
const interval = 200

/** Opens a connection to the inspector of a process and returns a function that sends a command. */
const inspect = async (port: number) => {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json() as ReadonlyArray<
    { readonly webSocketDebuggerUrl: string }
  >
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "")
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }))
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { readonly id: number; readonly result: unknown }
    waiting.get(id)?.(result)
  })
  let last = 0
  const send = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
  return { send, close: () => socket.close() }
}

const framesOf = ({ nodes }: Profile): ReadonlyMap<number, Frame> => {
  const callers = new Map(nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id] as const)))
  const frames = new Map<number, Frame>()
  // A profile lists each function after its caller.
  for (const { callFrame, id } of nodes) {
    frames.set(id, {
      name: callFrame.functionName,
      url: callFrame.url,
      caller: frames.get(callers.get(id) ?? 0)
    })
  }
  return frames
}

/** Returns the share of each part in the time that a process spent outside of the kernel. */
const sharesOf = (profile: Profile): ReadonlyMap<Part, number> => {
  const frames = framesOf(profile)
  const times = new Map<Part, number>()
  let total = 0
  profile.samples.forEach((id, index) => {
    const frame = frames.get(id)
    const part = frame === undefined ? undefined : partOf(frame)
    if (part === undefined) return
    const time = profile.timeDeltas[index] ?? 0
    times.set(part, (times.get(part) ?? 0) + time)
    total += time
  })
  return new Map([...times].map(([part, time]) => [part, time / total]))
}

/**
 * Samples the process with this inspector port while `run` runs. Returns the share of each part in the time that it spent
 * outside of the kernel.
 */
export const sample = (port: number, run: Effect.Effect<unknown>): Effect.Effect<ReadonlyMap<Part, number>> =>
  Effect.gen(function*() {
    const { close, send } = yield* Effect.promise(() => inspect(port))
    yield* Effect.promise(() => send("Profiler.enable"))
    yield* Effect.promise(() => send("Profiler.setSamplingInterval", { interval }))
    yield* Effect.promise(() => send("Profiler.start"))
    yield* run
    const { profile } = (yield* Effect.promise(() => send("Profiler.stop"))) as { readonly profile: Profile }
    close()
    return sharesOf(profile)
  }).pipe(
    Effect.timeoutOrElse({
      duration: sampleTimeout,
      orElse: () => Effect.die(new Error("The inspector of the server does not respond"))
    })
  )
