import { layerDocumentSource } from "@lastro/adapters-http"
import { layerQitechLender } from "@lastro/adapters-http/lender/qitech"
import { DocumentSource, Lender } from "@lastro/domain/lender"
import { Effect, Layer, Redacted } from "effect"
import { type QitechSetting } from "../settings/qitech.ts"
import { lenderUrlProblem, readNamedFile, refusing } from "../settings/readers.ts"

const keyProblem = "must be the path of a readable file with an EC P-521 key in PEM"

const documents = ({ documents: { allow, folder } }: QitechSetting, variable: (end: string) => string) =>
  Layer.catch(
    layerDocumentSource({
      files: folder === undefined ? undefined : { folder },
      web: allow.length === 0 ? undefined : { allow }
    }),
    () =>
      refusing(
        DocumentSource,
        variable("DOCUMENTS_ALLOW"),
        "must be https addresses that end with a slash, separated by commas, without user, password, query or fragment"
      )
  )

/**
 * Provides QI Tech as the lender. `variable` returns the full name of a variable of this lender, from the end of the
 * name. `defaultPath` is the path of its callbacks, unless the operator sets another one.
 */
export const layerQitech = (
  setting: QitechSetting,
  variable: (end: string) => string = (end) => `LASTRO_QITECH_${end}`,
  defaultPath?: string
) =>
  Layer.unwrap(Effect.gen(function*() {
    const privateKey = yield* readNamedFile(variable("PRIVATE_KEY_FILE"), setting.private_key_file, keyProblem)
    const publicKey = yield* readNamedFile(variable("PUBLIC_KEY_FILE"), setting.public_key_file, keyProblem)
    const { api_key: apiKey, bank_transfer: bankTransfer, callback_path = defaultPath, refunds, tables, url } = setting
    const lender = layerQitechLender({
      url,
      apiKey,
      privateKey: Redacted.make(privateKey),
      publicKey,
      tables,
      bankTransfer,
      refunds,
      // `http:` is allowed only for a simulator on this machine or in a private network.
      allowPrivateNetwork: url.startsWith("http:"),
      ...(callback_path === undefined ? {} : { callbackPath: callback_path })
    })
    return Layer.catch(lender, (refused) =>
      refused._tag === "LenderUrlRefused"
        ? refusing(Lender, variable("URL"), lenderUrlProblem)
        : refusing(Lender, variable(`${refused.key}_KEY_FILE`), keyProblem))
  })).pipe(Layer.provide(documents(setting, variable)))
