import { Effect } from "effect"
import { asEach } from "../server/Ask.ts"
import { type Served } from "../server/startServer.ts"
import { probing } from "./probe.ts"
import { send } from "./send.ts"

/** Number of wide searches (searches of a large tree) that one caller runs in parallel. */
const searches = 16

/** Measures a read of one caller in two phases: alone, and while another caller runs wide searches. */
export const starve = Effect.fn("starve")(function*(lastro: Served, tokens: ReadonlyArray<string>, seconds: number) {
  const [wide = "", narrow = ""] = [tokens[0], tokens.at(-1)]
  const read = <A>(run: Effect.Effect<A>) =>
    Effect.map(
      probing(`${lastro.url}/api/v1/users/me`, { authorization: `Bearer ${narrow}` }, run),
      ([, probed]) => probed
    )
  const alone = yield* read(Effect.sleep(seconds * 1_000))
  const beside = yield* read(send(lastro, {
    url: lastro.url,
    connections: searches,
    seconds,
    lanes: [asEach("/api/v1/users?full_name=a&sort=name,asc&size=100&page=100", [wide])]
  }))
  return [{ name: "alone", ...alone }, { name: `beside ${searches} wide searches`, ...beside }]
})
