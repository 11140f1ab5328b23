import { Result } from "effect"
import { type Customer } from "../../kyc/KycValues.ts"
import { type LenderQuoteRequest } from "../../lender/Lender.ts"
import { availableInstallments } from "../../offer/installments.ts"
import { type FeeTable } from "../../offer/Offer.ts"
import { type DueAmount, type LoanFee, type PricingRefusal } from "../../offer/PricedOffer.ts"
import { priceOffer } from "../../offer/priceOffer.ts"
import { type FinalQuotation, type LenderOffer, type Unpriced } from "../../offer/Quote.ts"
import { reduceToDesired } from "../../offer/reduceToDesired.ts"
import { type RejectionReason, rejectionReason } from "../../offer/RejectionReason.ts"
import { saoPauloDate } from "../../values/CalendarDate.ts"
import { type Centavos, centavos } from "../../values/Centavos.ts"
import { type Cpf } from "../../values/Cpf.ts"
import { type Percent, percent } from "../../values/Percent.ts"
import { addMillis, type Timestamp } from "../../values/Timestamp.ts"
import { sandboxDigits, type SandboxRefusal, type SandboxScenario, sandboxScenario } from "./sandboxScenarios.ts"

const least = 1_000_00
const most = 6_000_00

/** Hashes a text to an evenly distributed number from 0 to 1: FNV-1a, then the last step of MurmurHash3. */
const evenlySpread = (text: string): number => {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0xffffffff
}

/**
 * In the sandbox, the FGTS balance is derived from the CPF. The distribution is log-uniform from R$ 1 000.00 to
 * R$ 6 000.00.
 * @rule SANDBOX-02
 */
export const sandboxBalance = (cpf: Cpf): Centavos => centavos(Math.round(least * (most / least) ** evenlySpread(cpf)))

/** A fee table of the sandbox lender. */
export interface SandboxTable {
  readonly table: FeeTable
  readonly monthly_rate: Percent
  readonly fee: LoanFee
}

/** The temper of a sandbox lender: quick at a high price, or slow at a low price. */
export type SandboxTemper = "quick" | "slow"

/** The delay of a slow sandbox lender, in milliseconds. */
const slowMs = 4_000

/** The fee tables of a sandbox lender with a temper. */
export const tablesOfTemper: Readonly<Record<SandboxTemper, ReadonlyArray<SandboxTable>>> = {
  quick: [
    {
      table: { code: "now", label: "Tabela Já" },
      monthly_rate: percent(1.8),
      fee: { kind: "percent", percent: percent(10) }
    }
  ],
  slow: [{ table: { code: "save", label: "Tabela Econômica" }, monthly_rate: percent(1.49), fee: { kind: "none" } }]
}

/**
 * If there are two sandbox lenders, the quick one does not answer for a CPF that ends in 60. The slow one does not
 * answer for a CPF that ends in 61.
 * @rule SANDBOX-13
 */
export const isSilent = (temper: SandboxTemper | undefined, cpf: Cpf): boolean =>
  (temper === "quick" && sandboxDigits(cpf) === "60") || (temper === "slow" && sandboxDigits(cpf) === "61")

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

/** The fields of a quote request that the sandbox lender reads. */
export type SandboxQuoteRequest =
  & Pick<LenderQuoteRequest, "number" | "attempt" | "requested_at" | "released_on" | "policy" | "wish">
  & { readonly customer: Pick<Customer, "cpf" | "birth_date"> }

/** An answer of the sandbox lender. */
export interface SandboxAnswer {
  /** The delay of the answer, in milliseconds. */
  readonly after_ms: number
  /** Null: the lender does not answer. */
  readonly quotation: FinalQuotation | null
}

/**
 * The sandbox lender's answer to a quote depends only on the request. The scenario of the CPF selects offers, a
 * rejection or no answer.
 * @rule SANDBOX-03
 */
export const sandboxAnswer = (request: SandboxQuoteRequest, temper?: SandboxTemper): SandboxAnswer => {
  const scenario = sandboxScenario(sandboxDigits(request.customer.cpf))
  const after_ms = scenario.answers_after_ms + (temper === "slow" ? slowMs : 0)
  if (request.attempt <= scenario.silent_attempts) return { after_ms, quotation: null }
  const { refuses } = scenario
  if (refuses !== null && request.number <= refuses.quotes) {
    const rejection = rejectionAt(refuses, request.requested_at, refuses.retry_after_ms)
    return { after_ms, quotation: { kind: "REFUSED", rejection } }
  }
  const tables = temper === undefined ? sandboxTables(scenario) : tablesOfTemper[temper]
  return { after_ms, quotation: priceTables(request, scenario, tables) }
}

const rejectionAt = (
  { code, message }: SandboxRefusal,
  requested_at: Timestamp,
  retry_after_ms: number | null
): RejectionReason => {
  if (retry_after_ms === null) return rejectionReason(code, message)
  const retry_at = addMillis(requested_at, retry_after_ms)
  return rejectionReason(code, message.replace("{date}", brazilian(saoPauloDate(retry_at))), retry_at)
}

/** Formats `2026-02-03` as `03/02/2026`. */
const brazilian = (date: string): string => date.split("-").toReversed().join("/")

/**
 * The sandbox lender prices the annual withdrawals of the balance with each of its fee tables, within the policy and
 * the limits of the request. A table without an offer is listed in `unpriced`.
 * @rule SANDBOX-04
 */
export const priceTables = (
  request: SandboxQuoteRequest,
  scenario: SandboxScenario,
  tables: ReadonlyArray<SandboxTable> = sandboxTables(scenario)
): FinalQuotation => {
  const { customer, policy, released_on, requested_at, wish } = request
  const installments = availableInstallments({
    balance: scenario.balance ?? sandboxBalance(customer.cpf),
    birth_date: customer.birth_date,
    released_on,
    policy,
    max_installments: wish.max_installments
  })
  if (installments.length === 0) {
    const message = "Valor da parcela inferior ao mínimo permitido."
    return { kind: "REFUSED", rejection: rejectionReason("BELOW_MINIMUM_INSTALLMENT", message) }
  }
  const { offers_last_ms } = scenario
  const valid_until = offers_last_ms === null ? null : addMillis(requested_at, offers_last_ms)
  const offers: Array<LenderOffer> = []
  const unpriced: Array<Unpriced> = []
  for (const sandboxTable of tables) {
    const { table } = sandboxTable
    const terms = priceWith(sandboxTable, request, installments)
    if (Result.isSuccess(terms)) offers.push({ table, terms: terms.success, valid_until })
    else unpriced.push({ table, rejection: refusalOf(terms.failure) })
  }
  return { kind: "PRICED", offers, unpriced }
}

const priceWith = (
  { fee, monthly_rate }: SandboxTable,
  { policy, released_on, wish }: SandboxQuoteRequest,
  installments: ReadonlyArray<DueAmount>
) =>
  Result.flatMap(
    reduceToDesired({ released_on, monthly_rate, fee, installments }, wish.desired_amount, policy.min_installment),
    priceOffer
  )

const refusalOf = ({ _tag }: PricingRefusal): RejectionReason =>
  _tag === "FeesExceedPrincipal"
    ? rejectionReason("FEES_EXCEED_PRINCIPAL", "Custos da operação superam o valor financiado.")
    : rejectionReason("LENDER_POLICY", "Condições da operação fora dos limites da tabela.")
