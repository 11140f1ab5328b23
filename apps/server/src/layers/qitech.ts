import { layerDocumentSource } from "@lastro/adapters-http"
import { layerQitechLender } from "@lastro/adapters-http/lender/qitech"
import { DocumentSource, Lender } from "@lastro/domain/lender"
import { Effect, Layer, Redacted } from "effect"
import { type QitechSetting } from "../settings/qitech.ts"
import { lenderUrlProblem, readNamedFile, refusing } from "../settings/readers.ts"

const keyProblem = "must be the path of a readable file with an EC P-521 key in PEM"

const documents = ({ documents: { allow, folder } }: QitechSetting) =>
  Layer.catch(
    layerDocumentSource({
      files: folder === undefined ? undefined : { folder },
      web: allow.length === 0 ? undefined : { allow }
    }),
    () =>
      refusing(
        DocumentSource,
        "LASTRO_QITECH_DOCUMENTS_ALLOW",
        "must be https addresses that end with a slash, separated by commas, without user, password, query or fragment"
      )
  )

/** Provides QI Tech as the lender. */
export const layerQitech = (setting: QitechSetting) =>
  Layer.unwrap(Effect.gen(function*() {
    const privateKey = yield* readNamedFile("LASTRO_QITECH_PRIVATE_KEY_FILE", setting.private_key_file, keyProblem)
    const publicKey = yield* readNamedFile("LASTRO_QITECH_PUBLIC_KEY_FILE", setting.public_key_file, keyProblem)
    const { api_key: apiKey, bank_transfer: bankTransfer, callback_path, refunds, tables, url } = setting
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
        ? refusing(Lender, "LASTRO_QITECH_URL", lenderUrlProblem)
        : refusing(Lender, `LASTRO_QITECH_${refused.key}_KEY_FILE`, keyProblem))
  })).pipe(Layer.provide(documents(setting)))
