import { type QitechTable } from "@lastro/adapters-http/lender/qitech"
import { type LoanFee } from "@lastro/domain/offer"
import { centavosOfReais, parsePercent, type Percent } from "@lastro/domain/values"
import { type Redacted, Result } from "effect"
import {
  choice,
  type Environment,
  flag,
  httpUrl,
  optional,
  type Reader,
  refuse,
  secret,
  type SettingRefused,
  text
} from "./readers.ts"

/** The settings of QI Tech as the lender. The server reads the key files at its start. */
export interface QitechSetting {
  readonly kind: "qitech"
  readonly url: string
  readonly api_key: Redacted.Redacted
  readonly private_key_file: string
  readonly public_key_file: string
  readonly tables: ReadonlyArray<QitechTable>
  readonly callback_path: string | undefined
  readonly bank_transfer: "pix" | "ted"
  readonly refunds: boolean
  /** The folder with files of documents, and the web addresses below which documents are read. */
  readonly documents: { readonly folder: string | undefined; readonly allow: ReadonlyArray<string> }
}

export const qitechNames: ReadonlyArray<string> = [
  "LASTRO_QITECH_API_KEY",
  "LASTRO_QITECH_BANK_TRANSFER",
  "LASTRO_QITECH_CALLBACK_PATH",
  "LASTRO_QITECH_DOCUMENTS_ALLOW",
  "LASTRO_QITECH_DOCUMENTS_DIR",
  "LASTRO_QITECH_PRIVATE_KEY_FILE",
  "LASTRO_QITECH_PUBLIC_KEY_FILE",
  "LASTRO_QITECH_REFUNDS",
  "LASTRO_QITECH_TABLES",
  "LASTRO_QITECH_URL"
]

const tableProblem =
  "must be tables such as standard:Tabela Standard:1.8;plus:Tabela Plus:1.8:10%;light:Tabela Light:1.49:10.00 " +
  "(code, label, monthly rate in percent, and optionally a fee in percent or in reais)"

const number = (value: string): number => /^\d{1,9}(?:\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN

const feeOf = (value: string | undefined): LoanFee | null => {
  if (value === undefined) return { kind: "none" }
  if (value.endsWith("%")) {
    const percent = Result.getOrElse(parsePercent(number(value.slice(0, -1))), () => null)
    return percent === null || percent > 100 ? null : { kind: "percent", percent }
  }
  const amount = Result.getOrElse(centavosOfReais(number(value)), () => null)
  return amount === null ? null : { kind: "fixed", amount }
}

const tableOf = (value: string): QitechTable | null => {
  const [code = "", label = "", rate = "", fee, ...rest] = value.split(":").map((part) => part.trim())
  const monthly_rate: Percent | null = Result.getOrElse(parsePercent(number(rate)), () => null)
  const parsedFee = feeOf(fee)
  const isNamed = /^[\w-]{1,40}$/.test(code) && label !== "" && label.length <= 100
  if (!isNamed || monthly_rate === null || monthly_rate > 100 || parsedFee === null || rest.length > 0) return null
  return { code, label, monthly_rate, fee: parsedFee }
}

/** Reads fee tables: `CODE:LABEL:RATE` or `CODE:LABEL:RATE:FEE`, separated by semicolons. */
const tables: Reader<ReadonlyArray<QitechTable>> = (name, value) => {
  const entries = value.split(";").filter((entry) => entry.trim() !== "")
  const read = entries.map(tableOf).filter((table) => table !== null)
  const isDistinct = new Set(read.map(({ code }) => code)).size === read.length
  return read.length === 0 || read.length !== entries.length || !isDistinct
    ? refuse(name, tableProblem)
    : Result.succeed(read)
}

const path: Reader<string> = (name, value) =>
  value.startsWith("/")
    ? Result.succeed(value)
    : refuse(name, "must be a path, such as /api/v1/lender-callbacks/qitech")

const addresses: Reader<ReadonlyArray<string>> = (_, value) =>
  Result.succeed(value.split(",").map((address) => address.trim()).filter((address) => address !== ""))

const required = <A>(environment: Environment, name: string, read: Reader<A>): Result.Result<A, SettingRefused> =>
  Result.flatMap(
    optional(environment, name, read),
    (value) => value === undefined ? refuse(name, "is required with LASTRO_LENDER=qitech") : Result.succeed(value)
  )

export const readQitech = (environment: Environment): Result.Result<QitechSetting, SettingRefused> =>
  Result.gen(function*() {
    return {
      kind: "qitech",
      url: yield* required(environment, "LASTRO_QITECH_URL", httpUrl),
      api_key: yield* required(environment, "LASTRO_QITECH_API_KEY", secret),
      private_key_file: yield* required(environment, "LASTRO_QITECH_PRIVATE_KEY_FILE", text),
      public_key_file: yield* required(environment, "LASTRO_QITECH_PUBLIC_KEY_FILE", text),
      tables: yield* required(environment, "LASTRO_QITECH_TABLES", tables),
      callback_path: yield* optional(environment, "LASTRO_QITECH_CALLBACK_PATH", path),
      bank_transfer: (yield* optional(environment, "LASTRO_QITECH_BANK_TRANSFER", choice(["pix", "ted"]))) ?? "pix",
      refunds: (yield* optional(environment, "LASTRO_QITECH_REFUNDS", flag)) ?? true,
      documents: {
        folder: yield* optional(environment, "LASTRO_QITECH_DOCUMENTS_DIR", text),
        allow: (yield* optional(environment, "LASTRO_QITECH_DOCUMENTS_ALLOW", addresses)) ?? []
      }
    } as const
  })
