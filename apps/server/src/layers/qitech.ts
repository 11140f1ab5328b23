import { layerDocumentSource } from "@lastro/adapters-http"
import { layerQitechLender } from "@lastro/adapters-http/lender/qitech"
import { DocumentSource, Lender } from "@lastro/domain/lender"
import { Effect, Layer, Redacted } from "effect"
import { readFile } from "node:fs/promises"
import { type QitechSetting } from "../settings/qitech.ts"
import { SettingRefused } from "../settings/readers.ts"

const refuse = (variable: string, problem: string) => Effect.fail(new SettingRefused({ variable, problem }))

const keyProblem = "must be the path of a readable file with an EC P-521 key in PEM"

const readKey = (variable: string, file: string) =>
  Effect.catch(Effect.tryPromise(() => readFile(file, "utf8")), () => refuse(variable, keyProblem))

const documents = ({ documents: { allow, folder } }: QitechSetting) =>
  Layer.catch(
    layerDocumentSource({
      files: folder === undefined ? undefined : { folder },
      web: allow.length === 0 ? undefined : { allow }
    }),
    () =>
      Layer.effect(
        DocumentSource,
        refuse(
          "LASTRO_QITECH_DOCUMENTS_ALLOW",
          "must be https addresses that end with a slash, separated by commas, without user, password, query or fragment"
        )
      )
  )

/** Provides QI Tech as the lender. */
export const layerQitech = (setting: QitechSetting) =>
  Layer.unwrap(Effect.gen(function*() {
    const privateKey = yield* readKey("LASTRO_QITECH_PRIVATE_KEY_FILE", setting.private_key_file)
    const publicKey = yield* readKey("LASTRO_QITECH_PUBLIC_KEY_FILE", setting.public_key_file)
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
      Layer.effect(
        Lender,
        refused._tag === "LenderUrlRefused"
          ? refuse(
            "LASTRO_QITECH_URL",
            "must be an https URL, or an http URL in a private network, without user, password, query or fragment"
          )
          : refuse(`LASTRO_QITECH_${refused.key}_KEY_FILE`, keyProblem)
      ))
  })).pipe(Layer.provide(documents(setting)))
