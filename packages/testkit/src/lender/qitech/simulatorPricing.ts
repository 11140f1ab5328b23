/** An instalment of a request. */
interface DesiredInstallment {
  readonly due_date: string
  readonly total_amount: number
}

/** The fields of a financial object that determine the price. */
export interface Financial {
  readonly monthly_interest_rate: number
  readonly disbursement_date: string
  readonly desired_installments: ReadonlyArray<DesiredInstallment>
  readonly rebates: ReadonlyArray<{ readonly amount_type: "absolute" | "percentage"; readonly amount: number }>
}

const round = (value: number, decimals: number): number =>
  Math.round((value + Number.EPSILON) * 10 ** decimals) / 10 ** decimals

const dayMs = 86_400_000
const daysTo = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

/** Finds, by bisection, the annual rate at which the instalments are worth the net amount. */
const annualCost = (
  net: number,
  installments: ReadonlyArray<{ readonly days: number; readonly amount: number }>
): number => {
  const worth = (rate: number): number =>
    installments.reduce((sum, { amount, days }) => sum + amount / (1 + rate) ** (days / 365), 0)
  let low = 0
  let high = 100
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2
    if (worth(middle) > net) low = middle
    else high = middle
  }
  return low
}

/**
 * Prices a loan like QI Tech's documented answers, and returns the data of a simulation. Interest accrues on the
 * balance for calendar days, with 30 days to a month (`pre_price_days`). The IOF is 0.0082 % a day for at most 365
 * days, plus 0.38 % once.
 */
export const simulateLoan = (
  { desired_installments, disbursement_date, monthly_interest_rate, rebates }: Financial
) => {
  const rate = monthly_interest_rate
  const due = desired_installments.map(({ due_date, total_amount }) => ({
    due_date,
    amount: total_amount,
    days: daysTo(disbursement_date, due_date)
  }))
  const issue_amount = round(due.reduce((sum, { amount, days }) => sum + amount / (1 + rate) ** (days / 30), 0), 2)
  let balance = issue_amount
  let previousDays = 0
  const installments = due.map(({ amount, days, due_date }) => {
    const interest = balance * ((1 + rate) ** ((days - previousDays) / 30) - 1)
    const principal = amount - interest
    balance -= principal
    previousDays = days
    return {
      due_date,
      total_amount: amount,
      calendar_days: days,
      prefixed_amount: round(interest, 8),
      principal_amortization_amount: round(principal, 8),
      tax_amount: round(Math.max(principal, 0) * 0.000082 * Math.min(days, 365), 8)
    }
  })
  const base_iof = round(installments.reduce((sum, { tax_amount }) => sum + tax_amount, 0), 8)
  const additional_iof = round(issue_amount * 0.0038, 8)
  const total_iof = round(base_iof + additional_iof, 2)
  const fee = round(
    rebates.reduce(
      (sum, { amount, amount_type }) => sum + (amount_type === "absolute" ? amount : amount * issue_amount),
      0
    ),
    2
  )
  const disbursed_issue_amount = round(issue_amount - total_iof - fee, 2)
  const annual = disbursed_issue_amount > 0 ? annualCost(disbursed_issue_amount, due) : 0
  return {
    disbursement_date,
    issue_amount,
    disbursed_issue_amount,
    assignment_amount: issue_amount,
    base_iof,
    additional_iof,
    total_iof,
    contract_fees: fee === 0 ? [] : [{ fee_type: "tac", fee_amount: fee }],
    cet: round(((1 + annual) ** (1 / 12) - 1) * 100, 2),
    annual_cet: round(annual * 100, 2),
    prefixed_interest_rate: {
      interest_base: "calendar_days",
      monthly_rate: rate,
      annual_rate: round((1 + rate) ** 12 - 1, 8),
      daily_rate: round((1 + rate) ** (1 / 30) - 1, 8)
    },
    installments
  }
}

/** The data of a simulation. */
export type LoanData = ReturnType<typeof simulateLoan>

/**
 * Prices a loan that pays `target` reais. Takes the instalments in order until they pay the target, and reduces the
 * last one. Undefined if all instalments together pay less.
 */
export const simulateTarget = (financial: Financial, target: number): LoanData | undefined => {
  const { desired_installments } = financial
  for (let count = 1; count <= desired_installments.length; count += 1) {
    const taken = desired_installments.slice(0, count)
    if (simulateLoan({ ...financial, desired_installments: taken }).disbursed_issue_amount < target) continue
    let low = 0
    let high = Math.round((taken.at(-1)?.total_amount ?? 0) * 100)
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (withLast(financial, taken, middle / 100).disbursed_issue_amount >= target) high = middle
      else low = middle
    }
    return withLast(financial, taken, high / 100)
  }
  return undefined
}

const withLast = (financial: Financial, taken: ReadonlyArray<DesiredInstallment>, total_amount: number): LoanData =>
  simulateLoan({
    ...financial,
    desired_installments: taken.map((installment, index) =>
      index === taken.length - 1 ? { ...installment, total_amount } : installment
    )
  })
