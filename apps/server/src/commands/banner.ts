import { version } from "@lastro/adapters-http"
import { resolve } from "node:path"
import { styleText } from "node:util"
import { type LenderSetting, type LendersSetting } from "../settings/lender.ts"
import { type Settings } from "../settings/Settings.ts"

const adapters: Readonly<Record<LenderSetting["kind"], string>> = {
  sandbox: "sandbox: the last two digits of the CPF select the outcome",
  http: "by HTTP",
  qitech: "QI Tech"
}

const lendersText = (setting: LendersSetting): string =>
  setting.kind === "one"
    ? adapters[setting.setting.kind]
    : setting.lenders.map(({ code, setting: { kind } }) => `${code} (${kind})`).join(", ")

const databaseText = (database: Settings["database"]): string => {
  if (database.kind === "postgres") return "PostgreSQL"
  if (database.folder === undefined) return "in memory, lost when the server stops"
  return `${resolve(database.folder)} (embedded database)`
}

/** Returns the text that a terminal shows when the server listens: its addresses, its database and its lender. */
export const bannerText = (
  { console, database, docs, issuer, lenders }: Pick<Settings, "console" | "database" | "docs" | "issuer" | "lenders">
): string => {
  const lines: ReadonlyArray<readonly [name: string, text: string]> = [
    ...(console ? [["console", `${issuer}/console`] as const] : []),
    ...(docs ? [["documentation", `${issuer}/docs`] as const] : []),
    ["API", `${issuer}/api/v1`],
    ["data", databaseText(database)],
    ["lender", lendersText(lenders)],
    ["stop", "Ctrl+C"]
  ]
  return `\n  ${styleText("bold", `Lastro ${version}`)}\n\n${
    lines.map(([label, text]) => `    ${styleText("gray", label.padEnd(15))} ${text}\n`).join("")
  }\n`
}
