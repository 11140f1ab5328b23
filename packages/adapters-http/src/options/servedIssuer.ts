import { Effect } from "effect"
import { Issuer } from "../tokens/Issuer.ts"
import { OptionRefused } from "./OptionRefused.ts"
import { parseIssuer } from "./parseIssuer.ts"

/** The issuer that an API is served with, if it is the one that access tokens name: clients would be told of two otherwise. */
export const servedIssuer = Effect.fnUntraced(function*(text: string) {
  const issuer = yield* Effect.fromResult(parseIssuer(text))
  const named = yield* Issuer
  return issuer === named ? issuer : yield* new OptionRefused({
    option: "issuer",
    problem: `has to be the one that access tokens name: they name ${named}, and the API is served as ${issuer}`
  })
})
