import { CommonPasswords } from "@lastro/domain/identity"
import { Effect, Layer } from "effect"

/** Loads the 49 000 most common passwords of @zxcvbn-ts/language-common, all in lower case. */
const load = Effect.map(
  Effect.promise(() => import("@zxcvbn-ts/language-common")),
  ({ dictionary }) => new Set(dictionary["passwords-common"])
)

/** The most common passwords. The list takes about 100 ms to load, so it is loaded when the first password is checked. */
export const layerCommonPasswords: Layer.Layer<CommonPasswords> = Layer.effect(
  CommonPasswords,
  Effect.map(Effect.cached(load), (list) =>
    CommonPasswords.of({
      includes: (password) => Effect.map(list, (passwords) => passwords.has(password.normalize("NFC").toLowerCase()))
    }))
)
