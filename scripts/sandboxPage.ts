import { sandboxCpf } from "../packages/domain/src/adapters/sandbox/sandboxCpf.ts"
import { sandboxScenarios, usualScenario } from "../packages/domain/src/adapters/sandbox/SandboxScenario.ts"
import { type SandboxTable, sandboxTables } from "../packages/domain/src/adapters/sandbox/sandboxTables.ts"
import { reaisOf } from "../packages/domain/src/money/Centavos.ts"

const rows = Array.from(sandboxScenarios).toSorted(([one], [other]) => one < other ? -1 : 1)

const shown = (digits: string): string => sandboxCpf(digits).replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, "`$1.$2.$3-$4`")

const feeOf = ({ fee }: SandboxTable): string =>
  fee.kind === "none" ? "–" : fee.kind === "percent" ? `${fee.percent} %` : `R$ ${reaisOf(fee.amount).toFixed(2)}`

const line = (...cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

/** The page that tells people what the sandbox lender does with whom. */
export const sandboxPage = (): string =>
  `# The sandbox lender

What the server asks for quotes and contracts unless \`LASTRO_LENDER\` says otherwise. It asks nobody and remembers nothing: the last two digits of the CPF choose what comes of a customer, everything else is priced for real, from an FGTS balance of R$ 1 000 to R$ 6 000 that follows from the CPF. Written by \`pnpm rules\` from the table that it goes by.

${line("CPF ends in", "for example", "what comes of it", "the lender says")}
${line("---", "---", "---", "---")}
${
    rows.map(([digits, { contract_refusal, outcome, refuses }]) =>
      line(digits, shown(digits), outcome, (refuses ?? contract_refusal)?.message ?? "")
    ).join("\n")
  }
${line("anything else", shown("00"), usualScenario.outcome, "")}

\`sandboxCpf("90", 1)\` of \`@lastro/domain\`, with any number, gives more of them. Offers last 24 hours, unless the table or a new policy says otherwise. An accepted contract goes AWAITING_SIGNATURE, ${
    usualScenario.contract.join(", ")
  }: a step each second, or each \`LASTRO_SANDBOX_STEP_MS\`. After DISBURSEMENT_FAILED another submission of where to pay succeeds one step later.

${line("table", "rate a month", "fee")}
${line("---", "---", "---")}
${
    sandboxTables(usualScenario).map((one) => line(`\`${one.table.code}\``, `${one.monthly_rate} %`, feeOf(one))).join(
      "\n"
    )
  }
`
