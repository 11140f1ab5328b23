import { version } from "@lastro/adapters-http"
import { resolve } from "node:path"
import { styleText } from "node:util"
import { type Settings } from "../settings/Settings.ts"

const lenders: Readonly<Record<Settings["lender"]["kind"], string>> = {
  sandbox: "sandbox: the last two digits of the CPF select the outcome",
  http: "by HTTP",
  qitech: "QI Tech"
}

/** Makes the text that a terminal shows when the server listens: its addresses, its database and its lender. */
export const bannerText = (
  { console, database, docs, issuer, lender }: Pick<Settings, "console" | "database" | "docs" | "issuer" | "lender">
): string => {
  const data = database.kind === "postgres"
    ? "PostgreSQL"
    : database.folder === undefined
    ? "in memory, lost when the server stops"
    : `${resolve(database.folder)} (embedded database)`
  const lines: ReadonlyArray<readonly [name: string, text: string]> = [
    ...(console ? [["console", `${issuer}/console`] as const] : []),
    ...(docs ? [["documentation", `${issuer}/docs`] as const] : []),
    ["API", `${issuer}/api/v1`],
    ["data", data],
    ["lender", lenders[lender.kind]],
    ["stop", "Ctrl+C"]
  ]
  return `\n  ${styleText("bold", `Lastro ${version}`)}\n\n${
    lines.map(([label, text]) => `    ${styleText("gray", label.padEnd(15))} ${text}\n`).join("")
  }\n`
}
