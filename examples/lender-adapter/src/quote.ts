import { type LenderQuotation, type LenderQuoteRequest } from "@lastro/domain/lender"
import {
  availableInstallments,
  type LenderOffer,
  type LoanFee,
  priceOffer,
  readRejection,
  reduceToDesired
} from "@lastro/domain/offer"
import { type Centavos, centavos, percent } from "@lastro/domain/values"
import { Result } from "effect"

/** The fee tables that the bank agreed with this installation. */
const tables: ReadonlyArray<{ readonly code: string; readonly label: string; readonly fee: LoanFee }> = [
  { code: "basic", label: "Tabela Básica", fee: { kind: "none" } },
  { code: "fee", label: "Tabela com tarifa", fee: { kind: "fixed", amount: centavos(500_00) } }
]

const monthly_rate = percent(1.8)

/** Prices the balance of a customer with each fee table. A table without an offer is listed in `unpriced`. */
export const priceBalance = (
  { customer, policy, released_on, wish }: LenderQuoteRequest,
  balance: Centavos
): LenderQuotation => {
  const { birth_date } = customer
  const { desired_amount, max_installments } = wish
  const installments = availableInstallments({ balance, birth_date, released_on, policy, max_installments })
  if (installments.length === 0) {
    return { kind: "REFUSED", rejection: readRejection("BELOW_MINIMUM_INSTALLMENT", "Saldo insuficiente.", null) }
  }
  const offers: Array<LenderOffer> = []
  const unpriced = []
  for (const { fee, ...table } of tables) {
    const terms = Result.flatMap(
      reduceToDesired({ released_on, monthly_rate, fee, installments }, desired_amount, policy.min_installment),
      priceOffer
    )
    if (Result.isSuccess(terms)) offers.push({ table, terms: terms.success, valid_until: null })
    else unpriced.push({ table, rejection: readRejection("FEES_EXCEED_PRINCIPAL", "Tarifa acima do valor.", null) })
  }
  return { kind: "PRICED", offers, unpriced }
}
