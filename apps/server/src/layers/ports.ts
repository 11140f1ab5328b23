import { layerHttpLender } from "@lastro/adapters-http"
import {
  type Argon2Cost,
  defaultCost,
  defaultHashLimits,
  layerFileSigningKeys,
  layerSecurity
} from "@lastro/adapters-http/security"
import { layerWebhookSender } from "@lastro/adapters-http/webhook"
import {
  layerPglite,
  layerPgliteNode,
  layerPostgres,
  layerPostgresNode,
  PgDatabase,
  PgliteDatabase
} from "@lastro/adapters-sql"
import { layerSandboxLender, type SandboxTemper } from "@lastro/domain/adapters"
import { CommissionSettings } from "@lastro/domain/commission"
import { SigningKeyRepository } from "@lastro/domain/identity"
import { layerLenders, Lender, LenderSettings } from "@lastro/domain/lender"
import { Context, Effect, Layer } from "effect"
import { access, constants } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { type DatabaseSetting } from "../settings/database.ts"
import { type LenderSetting, type LendersSetting, type NamedLender, namedVariable } from "../settings/lender.ts"
import { lenderUrlProblem, readNamedFile, refusing } from "../settings/readers.ts"
import { type Settings } from "../settings/Settings.ts"
import { layerQitech } from "./qitech.ts"
import { signaturePageUrl } from "./sandboxPage.ts"

/** Returns the folder in `node_modules` for the cached embedded database. Undefined if `node_modules` is read-only. */
const cacheFolder = Effect.promise(async () => {
  const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url))
  return access(modules, constants.W_OK).then(() => join(modules, ".cache", "lastro"), () => undefined)
})

/**
 * Disables V8's optimizing compiler for WebAssembly modules loaded after this call. It would use 600 MiB of memory for
 * a single function of PGlite. Without it, statements take about a fifth more processor time.
 */
const limitWasmMemory = (): void => {
  // Together, these flags work like `node --liftoff-only`, which has no effect after the start of the process.
  setFlagsFromString("--no-wasm-tier-up")
  setFlagsFromString("--no-wasm-dynamic-tiering")
}

/** Returns the options of the embedded database. Also limits its memory in this process. */
const embedded = ({ folder, schema }: Extract<DatabaseSetting, { readonly kind: "pglite" }>) =>
  Effect.map(cacheFolder, (cacheFolder) => {
    limitWasmMemory()
    return { dataDir: folder ?? "memory", cacheFolder, schema }
  })

/** The default of `PgOptions`. */
const defaultPool = 10

/** Returns the maximum number of connections to PostgreSQL. */
export const poolOf = (setting: DatabaseSetting): number =>
  setting.kind === "postgres" ? setting.maxConnections ?? defaultPool : 1

/** The option with which a command reads everything from the primary, not from the standby. */
const onPrimary = { readUrl: undefined } as const

/** Connects to the database without migrating it. */
export const database = (setting: DatabaseSetting) =>
  setting.kind === "postgres"
    ? PgDatabase.layer({ ...setting, ...onPrimary })
    : Layer.unwrap(Effect.map(embedded(setting), PgliteDatabase.layer))

const keysVariable = "LASTRO_SIGNING_KEYS"

const layerKeyFile = (file: string) =>
  Layer.unwrap(Effect.map(
    readNamedFile(keysVariable, file, "must be the path of a readable file"),
    (text) =>
      Layer.catch(layerFileSigningKeys(text), ({ problem }) =>
        refusing(SigningKeyRepository, keysVariable, `names a file that is refused: it ${problem}`))
  ))

/**
 * Provides the signing keys from a file, if one is configured. Otherwise the layer is empty, because the keys are in
 * the database.
 */
const signingKeys = (file: string | undefined) => file === undefined ? Layer.empty : layerKeyFile(file)

/** The cost of new password hashes. No setting changes it; tests lower it. */
export const PasswordCost: Context.Reference<Argon2Cost> = Context.Reference<Argon2Cost>(
  "@lastro/server/layers/ports/PasswordCost",
  { defaultValue: () => defaultCost }
)

const security = (workers = 1) =>
  Layer.unwrap(Effect.map(PasswordCost, (cost) =>
    layerSecurity(cost, {
      ...defaultHashLimits,
      concurrent: Math.max(1, Math.floor(defaultHashLimits.concurrent / workers))
    })))

/**
 * Provides the ports of the database, the signing keys, and the generators of ids, secrets and hashes. Migrates the
 * database first.
 */
export const ports = ({ database: setting, signing_keys_file }: Settings) =>
  Layer.mergeAll(
    setting.kind === "postgres"
      ? layerPostgres({ ...setting, ...onPrimary })
      : Layer.unwrap(Effect.map(embedded(setting), layerPglite)),
    signingKeys(signing_keys_file),
    security()
  )

/**
 * Provides a lender. The signature links of the sandbox open a page of the server. `code` is null for a single lender.
 */
const layerLender = (setting: LenderSetting, issuer: string, code: string | null, temper?: SandboxTemper) => {
  switch (setting.kind) {
    case "sandbox":
      return layerSandboxLender({ stepMs: setting.step_ms, signaturePage: signaturePageUrl(issuer), temper })
    case "qitech":
      return code === null
        ? layerQitech(setting)
        : layerQitech(setting, (end) => namedVariable(code, end), callbackPath(issuer, code))
    case "http":
      return Layer.catch(
        layerHttpLender({
          url: setting.url,
          token: setting.token,
          callbackSecret: setting.callback_secret,
          kyc: setting.kyc
        }),
        () => refusing(Lender, code === null ? "LASTRO_LENDER_URL" : namedVariable(code, "URL"), lenderUrlProblem)
      )
  }
}

/** Returns the path of a lender's callbacks, below the path of the issuer. */
const callbackPath = (issuer: string, code: string): string =>
  `${new URL(issuer).pathname.replace(/\/$/, "")}/api/v1/lender-callbacks/${code}`

/**
 * Returns the behaviour of a sandbox. Several sandboxes take different behaviours in turns, so that their offers
 * differ.
 */
const temperOf = (lenders: ReadonlyArray<NamedLender>, code: string): SandboxTemper | undefined => {
  const sandboxes = lenders.filter(({ setting }) => setting.kind === "sandbox")
  const place = sandboxes.findIndex((sandbox) => sandbox.code === code)
  if (sandboxes.length < 2) return undefined
  return place % 2 === 0 ? "quick" : "slow"
}

const layerOfLenders = (setting: LendersSetting, issuer: string) => {
  if (setting.kind === "one") return layerLender(setting.setting, issuer, null)
  const entries = setting.lenders.map(({ code, label, settings, setting: own, status }) => {
    const layer = layerLender(own, issuer, code, temperOf(setting.lenders, code))
    return [code, { layer, label, status, settings }] as const
  })
  return layerLenders(Object.fromEntries(entries), { quotePatienceMs: setting.patience_ms })
}

/** Provides the lenders and their settings. */
export const lendersOf = (
  { issuer, lender_settings, lenders }: Pick<Settings, "issuer" | "lender_settings" | "lenders">
) => Layer.provideMerge(layerOfLenders(lenders, issuer), Layer.succeed(LenderSettings, lender_settings))

/** Warns if LASTRO_SECRETS_KEY is not set on PostgreSQL: the database then contains the webhook secrets and their key. */
const warnOfSecretsKey = ({ database: setting, webhooks }: Settings) =>
  Layer.effectDiscard(
    setting.kind === "postgres" && webhooks.secretsKeys.length === 0
      ? Effect.logWarning("LASTRO_SECRETS_KEY is not set; the database contains the secrets of webhooks and their key")
      : Effect.void
  )

/**
 * Provides the ports of a serving node: those of `ports`, the lender, the sender of webhooks, and the worker for
 * durable jobs. `workers` is the number of processes that share the processors.
 */
export const nodePorts = (settings: Settings, workers = 1) => {
  const {
    commission_settings,
    database: setting,
    node,
    signing_keys_file,
    webhooks
  } = settings
  const replace = layerWebhookSender(webhooks)
  return Layer.mergeAll(
    setting.kind === "postgres"
      ? layerPostgresNode({ ...setting, node, replace })
      : Layer.unwrap(Effect.map(embedded(setting), (options) => layerPgliteNode({ ...options, node, replace }))),
    signingKeys(signing_keys_file),
    warnOfSecretsKey(settings)
  ).pipe(
    Layer.provide(lendersOf(settings)),
    Layer.provide(Layer.succeed(CommissionSettings, commission_settings)),
    Layer.provideMerge(security(workers))
  )
}
