import { Effect } from "effect"
import { type Served } from "../server/startServer.ts"
import { probe, type Probed } from "./probe.ts"
import { send } from "./send.ts"

/** Number of wide searches that one caller runs in parallel. */
const searches = 16

const pause = (seconds: number) => Effect.sleep(seconds * 1_000)

/** Measures a read of one caller, alone and while another caller runs wide searches. */
export const starve = Effect.fn("starve")(function*(lastro: Served, tokens: ReadonlyArray<string>, seconds: number) {
  const [wide = "", narrow = ""] = [tokens[0], tokens.at(-1)]
  const read = () => probe(`${lastro.url}/api/v1/users/me`, { authorization: `Bearer ${narrow}` })
  const named = (name: string, probed: Probed) => ({ name, ...probed })
  const quiet = read()
  yield* pause(seconds)
  const alone = yield* Effect.promise(quiet)
  const disturbed = read()
  yield* send(lastro, {
    url: `${lastro.url}/api/v1/users?full_name=a&sort=name,asc&size=100&page=100`,
    connections: searches,
    seconds,
    tokens: [wide]
  })
  const beside = yield* Effect.promise(disturbed)
  return { alone: named("alone", alone), beside: named(`beside ${searches} wide searches`, beside) }
})
