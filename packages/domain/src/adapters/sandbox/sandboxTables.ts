import { type Fee } from "../../fgts/pricing/PricedOffer.ts"
import { type FeeTable } from "../../fgts/quote/Offer.ts"
import { centavos } from "../../money/Centavos.ts"
import { type Percent, percent } from "../../money/Percent.ts"
import { type SandboxScenario } from "./SandboxScenario.ts"

/** A fee table of the sandbox lender. */
export interface SandboxTable {
  readonly table: FeeTable
  readonly monthly_rate: Percent
  readonly fee: Fee
}

/** Returns the three fee tables of the sandbox lender for a scenario. */
export const sandboxTables = ({ plus_fee }: SandboxScenario): ReadonlyArray<SandboxTable> => [
  { table: { code: "standard", label: "Tabela Standard" }, monthly_rate: percent(1.8), fee: { kind: "none" } },
  { table: { code: "plus", label: "Tabela Plus" }, monthly_rate: percent(1.8), fee: plus_fee },
  {
    table: { code: "light", label: "Tabela Light" },
    monthly_rate: percent(1.49),
    fee: { kind: "fixed", amount: centavos(10_00) }
  }
]
