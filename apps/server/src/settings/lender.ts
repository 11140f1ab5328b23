import { basicRequirements, type KycRequirements, lenderKycFields } from "@lastro/domain/kyc"
import {
  defaultQuotePatienceMs,
  isLenderCode,
  type LenderSettingsValues,
  type LenderStatus,
  lenderStatuses
} from "@lastro/domain/lender"
import { Duration, Redacted, Result } from "effect"
import { lenderSettings } from "./lenderLimits.ts"
import { qitechNames, type QitechSetting, readQitech } from "./qitech.ts"
import {
  choice,
  choices,
  duration,
  type Environment,
  httpUrl,
  isSet,
  milliseconds,
  optional,
  orZero,
  type Reader,
  refuse,
  secret,
  SettingRefused
} from "./readers.ts"

/**
 * The lender: the sandbox, a lender over HTTP, or QI Tech. In the sandbox, each step of a contract takes `step_ms`
 * milliseconds.
 */
export type LenderSetting =
  | { readonly kind: "sandbox"; readonly step_ms: number }
  | {
    readonly kind: "http"
    readonly url: string
    readonly token: Redacted.Redacted | undefined
    /** The secret with which the lender signs its callbacks. */
    readonly callback_secret: Redacted.Redacted | undefined
    readonly kyc: Partial<KycRequirements>
  }
  | QitechSetting

/** Reads the secret of the lender's callbacks: `whsec_` followed by 24 to 64 bytes in Base64. */
const callbackSecret: Reader<Redacted.Redacted> = (name, value) =>
  /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(value)
    ? Result.succeed(Redacted.make(value))
    : refuse(name, "must be whsec_ and the Base64 form of 24 to 64 bytes")

/** The variables of a single lender over HTTP. */
export const httpNames = [
  "LASTRO_LENDER_URL",
  "LASTRO_LENDER_TOKEN",
  "LASTRO_LENDER_CALLBACK_SECRET",
  "LASTRO_LENDER_KYC_FIELDS",
  "LASTRO_LENDER_DISBURSEMENT_METHODS"
]

/** Reads the lender. It is required with PostgreSQL, so that the sandbox cannot run in production by accident. */
const readLender = (environment: Environment, required: boolean): Result.Result<LenderSetting, SettingRefused> =>
  Result.gen(function*() {
    const kind = yield* optional(environment, "LASTRO_LENDER", choice(["sandbox", "http", "qitech"]))
    const url = yield* optional(environment, "LASTRO_LENDER_URL", httpUrl)
    const token = yield* optional(environment, "LASTRO_LENDER_TOKEN", secret)
    const callback_secret = yield* optional(environment, "LASTRO_LENDER_CALLBACK_SECRET", callbackSecret)
    const kyc_fields = yield* optional(environment, "LASTRO_LENDER_KYC_FIELDS", choices(lenderKycFields))
    const methods = choices(basicRequirements.disbursement_methods)
    const disbursement_methods = yield* optional(environment, "LASTRO_LENDER_DISBURSEMENT_METHODS", methods)
    const step_ms = (yield* optional(environment, "LASTRO_SANDBOX_STEP_MS", milliseconds)) ?? 1000
    if (kind === undefined && required) {
      return yield* refuse(
        "LASTRO_LENDER",
        "is required with PostgreSQL. Set it to sandbox, http or qitech, or set LASTRO_LENDERS"
      )
    }
    // Variables of another kind of lender have no effect, so one that is set probably shows a wrong LASTRO_LENDER.
    const qitechVariable = qitechNames.find((name) => isSet(environment, name))
    if (kind !== "qitech" && qitechVariable !== undefined) {
      return yield* refuse(qitechVariable, "requires LASTRO_LENDER=qitech")
    }
    const httpVariable = httpNames.find((name) => isSet(environment, name))
    if (kind !== "http" && httpVariable !== undefined) {
      return yield* refuse(httpVariable, "requires LASTRO_LENDER=http")
    }
    if (kind === "qitech") return yield* readQitech(environment)
    if (kind !== "http") return { kind: "sandbox", step_ms }
    if (url === undefined) return yield* refuse("LASTRO_LENDER_URL", "is required with LASTRO_LENDER=http")
    const kyc = {
      ...kyc_fields === undefined ? {} : { kyc_fields },
      ...disbursement_methods === undefined ? {} : { disbursement_methods }
    }
    return { kind, url, token, callback_secret, kyc }
  })

/** A lender of an installation with several lenders. */
export interface NamedLender {
  readonly code: string
  readonly label: string
  readonly status: LenderStatus
  readonly setting: LenderSetting
  readonly settings: LenderSettingsValues
}

/** The lenders of the installation: one without a code, or several with codes. */
export type LendersSetting =
  | { readonly kind: "one"; readonly setting: LenderSetting }
  | { readonly kind: "several"; readonly lenders: ReadonlyArray<NamedLender>; readonly patience_ms: number }

const adapters = ["sandbox", "http", "qitech"] as const

/**
 * The variables of a lender with a code: the end of the name in `LASTRO_LENDER_CODE_END`, and the variable with the same
 * meaning for a single lender.
 */
const ownVariables: ReadonlyArray<readonly [end: string, base: string]> = [
  ...httpNames.map((base) => [base.slice("LASTRO_LENDER_".length), base] as const),
  ["RATE", "LASTRO_LENDER_RATE"],
  ["MAX_IN_FLIGHT", "LASTRO_LENDER_MAX_IN_FLIGHT"],
  ["STEP_MS", "LASTRO_SANDBOX_STEP_MS"],
  ...qitechNames
    .filter((base) => base !== "LASTRO_QITECH_URL")
    .map((base) => [base.slice("LASTRO_QITECH_".length), base] as const)
]

/** Returns the name of a lender's variable, such as `LASTRO_LENDER_MINAS_SUL_URL` for the code `minas-sul`. */
export const namedVariable = (code: string, end: string): string =>
  `LASTRO_LENDER_${code.toUpperCase().replaceAll("-", "_")}_${end}`

/** Returns the codes in `LASTRO_LENDERS`, also invalid ones, so that the error names the code and not its variables. */
const codesIn = (environment: Environment): ReadonlyArray<string> =>
  (environment["LASTRO_LENDERS"] ?? "").split(",").map((item) => item.split("=")[0]?.trim() ?? "")

export const namedLenderVariables = (environment: Environment): ReadonlyArray<string> =>
  codesIn(environment).flatMap((code) =>
    ["LABEL", "STATUS", ...ownVariables.map(([end]) => end)].map((end) => namedVariable(code, end))
  )

export const namedLenderSecrets = (environment: Environment): ReadonlyArray<string> =>
  codesIn(environment).flatMap((code) => ["TOKEN", "CALLBACK_SECRET", "API_KEY"].map((end) => namedVariable(code, end)))

const lendersProblem =
  "must be codes with their adapters in order of preference, such as parana=http,qi=qitech,demo=sandbox. " +
  "A code is a lower-case letter and up to 31 lower-case letters, digits and hyphens. An adapter is sandbox, http or qitech"

const parseLenders: Reader<ReadonlyArray<readonly [code: string, adapter: typeof adapters[number]]>> = (
  name,
  value
) => {
  const items = value.split(",").map((item) => item.split("=").map((part) => part.trim()))
  const read = items.flatMap(([code = "", kind, ...rest]) => {
    const adapter = adapters.find((adapter) => adapter === kind)
    return isLenderCode(code) && adapter !== undefined && rest.length === 0 ? [[code, adapter] as const] : []
  })
  if (read.length !== items.length || read.length > 20) return refuse(name, lendersProblem)
  const repeated = read.find(([code], index) => read.findIndex(([earlier]) => earlier === code) < index)
  return repeated === undefined ? Result.succeed(read) : refuse(name, `names the code ${repeated[0]} twice`)
}

/** The variables of a single lender. With `LASTRO_LENDERS`, they are rejected. */
const onlyLenderVariables: ReadonlyArray<string> = [
  "LASTRO_LENDER",
  ...httpNames,
  "LASTRO_LENDER_RATE",
  "LASTRO_LENDER_MAX_IN_FLIGHT",
  ...qitechNames
]

/** Reads the display name of a lender. It is stored with every quote, so it is short. */
const label: Reader<string> = (name, value) =>
  /^[^\p{Cc}\p{Zl}\p{Zp}]{1,100}$/u.test(value)
    ? Result.succeed(value)
    : refuse(name, "must have 1 to 100 characters, without control characters")

/**
 * Reads a lender with a code. Reads its variables as if they were those of a single lender. An error names the variable
 * that the operator has set.
 */
const readNamed = (environment: Environment, code: string, adapter: typeof adapters[number]) =>
  Result.gen(function*() {
    const url = adapter === "qitech" ? "LASTRO_QITECH_URL" : "LASTRO_LENDER_URL"
    const variables = ownVariables.map(([end, base]) => [namedVariable(code, end), end === "URL" ? url : base] as const)
    const asOnlyLender: Record<string, string | undefined> = {
      LASTRO_LENDER: adapter,
      LASTRO_SANDBOX_STEP_MS: environment["LASTRO_SANDBOX_STEP_MS"],
      LASTRO_QUOTE_DEADLINE: environment["LASTRO_QUOTE_DEADLINE"],
      LASTRO_MAX_MONTHLY_RATE: environment["LASTRO_MAX_MONTHLY_RATE"],
      LASTRO_MAX_MONTHLY_RATE_ABOVE_POLICY: environment["LASTRO_MAX_MONTHLY_RATE_ABOVE_POLICY"]
    }
    for (const [name, base] of variables) {
      if (isSet(environment, name)) asOnlyLender[base] = environment[name]
    }
    const withOwnName = (refused: SettingRefused): SettingRefused => {
      const variable = variables.find(([, base]) => base === refused.variable)?.[0] ?? refused.variable
      const problem = refused.problem.replace(/LASTRO_LENDER=(\w+)/, `${code}=$1 in LASTRO_LENDERS`)
      return new SettingRefused({ variable, problem })
    }
    const stepName = namedVariable(code, "STEP_MS")
    if (adapter !== "sandbox" && isSet(environment, stepName)) {
      return yield* refuse(stepName, `requires ${code}=sandbox in LASTRO_LENDERS`)
    }
    const lender: NamedLender = {
      code,
      label: (yield* optional(environment, namedVariable(code, "LABEL"), label)) ?? code,
      status: (yield* optional(environment, namedVariable(code, "STATUS"), choice(lenderStatuses))) ?? "active",
      setting: yield* Result.mapError(readLender(asOnlyLender, true), withOwnName),
      settings: yield* Result.mapError(lenderSettings(asOnlyLender), withOwnName)
    }
    return lender
  })

/** Reads the lenders of `LASTRO_LENDERS`, or the single one of `LASTRO_LENDER`. */
export const readLenders = (
  environment: Environment,
  required: boolean
): Result.Result<LendersSetting, SettingRefused> =>
  Result.gen(function*() {
    const named = yield* optional(environment, "LASTRO_LENDERS", parseLenders)
    const patience = yield* optional(environment, "LASTRO_QUOTE_PATIENCE", orZero(duration))
    if (named === undefined) {
      if (patience !== undefined) return yield* refuse("LASTRO_QUOTE_PATIENCE", "requires LASTRO_LENDERS")
      return { kind: "one", setting: yield* readLender(environment, required) }
    }
    const only = onlyLenderVariables.find((name) => isSet(environment, name))
    if (only !== undefined) {
      return yield* refuse(
        only,
        "must not be set together with LASTRO_LENDERS. Use the variables of each lender instead"
      )
    }
    const variables = namedLenderVariables(environment)
    const twice = variables.find((name, index) => variables.indexOf(name) < index)
    if (twice !== undefined) {
      return yield* refuse("LASTRO_LENDERS", `names two lenders that would both use ${twice}. Change one of the codes`)
    }
    const lenders: Array<NamedLender> = []
    for (const [code, adapter] of named) lenders.push(yield* readNamed(environment, code, adapter))
    return {
      kind: "several",
      lenders,
      patience_ms: patience === undefined ? defaultQuotePatienceMs : Duration.toMillis(patience)
    }
  })

/** Returns the codes of the lenders. Undefined without LASTRO_LENDERS, because a single lender has no code. */
export const codesOf = (setting: LendersSetting): ReadonlyArray<string> | undefined =>
  setting.kind === "one" ? undefined : setting.lenders.map(({ code }) => code)

const kindsOf = (setting: LendersSetting): ReadonlyArray<LenderSetting["kind"]> =>
  setting.kind === "one" ? [setting.setting.kind] : setting.lenders.map((lender) => lender.setting.kind)

export const hasSandbox = (setting: LendersSetting): boolean => kindsOf(setting).includes("sandbox")

/** Returns whether every lender is the sandbox. */
export const isSandbox = (setting: LendersSetting): boolean => kindsOf(setting).every((kind) => kind === "sandbox")
