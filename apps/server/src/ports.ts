import { layerFileSigningKeys } from "@lastro/adapters-http"
import { layerSecurity } from "@lastro/adapters-http/node"
import {
  layerPglite,
  layerPgliteNode,
  layerPostgres,
  layerPostgresNode,
  PgDatabase,
  PgliteDatabase
} from "@lastro/adapters-sql"
import { SigningKeyRepository } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { access, constants, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { lender } from "./lender.ts"
import { SettingRefused } from "./settings/readers.ts"
import { type DatabaseSetting, type Settings } from "./settings/Settings.ts"

/** Where a checkout keeps what can be made again; a read-only one keeps nothing. */
const cacheFolder = Effect.promise(async () => {
  const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url))
  return access(modules, constants.W_OK).then(() => join(modules, ".cache", "lastro"), () => undefined)
})

const embedded = (folder: string | undefined) =>
  Effect.map(cacheFolder, (cacheFolder) => ({ dataDir: folder ?? "memory", cacheFolder }))

/** The database's client, and nothing done to the database. */
export const database = (setting: DatabaseSetting) =>
  setting.kind === "postgres"
    ? PgDatabase.layer({ url: setting.url })
    : Layer.unwrap(Effect.map(embedded(setting.folder), PgliteDatabase.layer))

const refuseKeys = (problem: string) => Effect.fail(new SettingRefused({ variable: "LASTRO_SIGNING_KEYS", problem }))

/** The operator's own signing keys. */
const fromFile = (file: string) =>
  Layer.unwrap(Effect.map(
    Effect.catch(Effect.tryPromise(() => readFile(file, "utf8")), () => refuseKeys("names a file that cannot be read")),
    (text) =>
      Layer.catch(layerFileSigningKeys(text), () =>
        Layer.effect(SigningKeyRepository, refuseKeys("names a file that is no JWK set of private ES256 keys")))
  ))

/** The operator's own signing keys instead of those in the database, where there are any. */
const signingKeys = (file: string | undefined) => file === undefined ? Layer.empty : fromFile(file)

/** Every port of the domain but the one that signs tokens, over a database that is brought up to date first. */
export const ports = ({ database: setting, signing_keys_file }: Settings) =>
  Layer.mergeAll(
    setting.kind === "postgres"
      ? layerPostgres({ url: setting.url })
      : Layer.unwrap(Effect.map(embedded(setting.folder), layerPglite)),
    signingKeys(signing_keys_file),
    layerSecurity()
  )

/** The same, with this node's share of the durable work, the lender that it asks, and the place where callers wait for it. */
export const nodePorts = ({ database: setting, lender: lends, node, signing_keys_file }: Settings) =>
  Layer.merge(
    setting.kind === "postgres"
      ? layerPostgresNode({ url: setting.url, node })
      : Layer.unwrap(Effect.map(embedded(setting.folder), layerPgliteNode)),
    signingKeys(signing_keys_file)
  ).pipe(
    Layer.provide(lender(lends)),
    Layer.provideMerge(layerSecurity())
  )
