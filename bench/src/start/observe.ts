import { Effect } from "effect"
import { client, type Start } from "./places.ts"
import { peakMemory, residentMemory } from "./residentMemory.ts"
import { type Ready, startUp } from "./startUp.ts"
import { steadyLoad } from "./steadyLoad.ts"

/** Result of one start, in milliseconds and MiB. A value is undefined if it was not measured or is unavailable. */
export interface Observed {
  readonly name: string
  readonly milliseconds: number
  readonly cpu: number | undefined
  readonly idle: number | undefined
  /** Largest resident memory from the start to the end of the load, in MiB. */
  readonly peak: number | undefined
  readonly perSecond: number | undefined
}

/** The load that is applied to a server. */
export interface LoadOptions {
  readonly perSecond: number
  readonly seconds: number
}

/** The time for which a server is idle before its idle memory is measured. */
const idleTime = "4 seconds"

const token = async (url: string): Promise<string> => {
  const answer = await fetch(`${url}/api/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", ...client })
  })
  const body: unknown = await answer.json()
  if (typeof body === "object" && body !== null && "access_token" in body) return String(body.access_token)
  throw new Error(`No token: ${JSON.stringify(body)}`)
}

const memoryOf = ({ pid, url }: Ready, { guarded, path }: NonNullable<Start["load"]>, options: LoadOptions) =>
  Effect.gen(function*() {
    yield* Effect.sleep(idleTime)
    const idle = yield* Effect.promise(() => residentMemory(pid))
    const asking = { url: url + path, token: guarded ? yield* Effect.promise(() => token(url)) : undefined, ...options }
    const perSecond = yield* steadyLoad(asking)
    const peak = yield* Effect.promise(() => peakMemory(pid))
    return { idle, peak, perSecond }
  })

/** Starts a program, measures its memory when idle and under load, and stops it. */
export const observe = ({ load, name, program }: Start, options: LoadOptions): Effect.Effect<Observed, Error> =>
  Effect.scoped(Effect.gen(function*() {
    const ready = yield* startUp(yield* program)
    const memory = load === undefined
      ? { idle: undefined, peak: undefined, perSecond: undefined }
      : yield* memoryOf(ready, load, options)
    return { name, milliseconds: ready.milliseconds, cpu: ready.cpu, ...memory }
  }))
