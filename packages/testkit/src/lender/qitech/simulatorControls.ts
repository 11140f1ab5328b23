import { type SimulatedDebt } from "./SimulatedDebts.ts"
import { announce, type SimulatorState } from "./simulatorState.ts"

/**
 * Changes debts outside the API, as the customer, the banks and CAIXA do. Each function takes the key of a debt.
 * Default: the newest debt.
 */
export interface DebtControls {
  /** The customer signs. */
  readonly sign: (key?: string) => void
  /** The payment is made. */
  readonly pay: (key?: string) => void
  /** The payment is refused. */
  readonly refusePayment: (reason: "pix_refusal" | "ted_refusal" | "disbursing_hour_closed", key?: string) => void
  /** The time to sign ends. */
  readonly expireSignature: (key?: string) => void
  /** QI Tech cancels a debt for another reason. */
  readonly cancelFor: (reason: string, key?: string) => void
  /** Sets the status of a debt without a webhook. */
  readonly setStatus: (status: string, key?: string) => void
  /** Sets the status of a refund without a webhook. Its debt stays opened. */
  readonly setRefundStatus: (status: string, key?: string) => void
  /** The customer pays the money back. */
  readonly payRefund: (key?: string) => void
}

/** Returns the functions with which a test changes simulated debts. */
export const makeDebtControls = (state: SimulatorState): DebtControls => {
  const find = (key: string | undefined): SimulatedDebt => {
    const debt = key === undefined ? [...state.debts.values()].at(-1) : state.debts.get(key)
    if (debt === undefined) throw new Error("the simulator has no such debt")
    return debt
  }
  const cancel = (debt: SimulatedDebt, reason: string, data: object): void => {
    debt.status = "canceled"
    debt.cancel_reason = reason
    announce(state, debt, "canceled", data)
  }
  return {
    sign: (key) => {
      const debt = find(key)
      debt.status = "signed"
      announce(state, debt, "signature_finished", { signed_contract_url: "https://contract.example/signed.pdf" })
    },
    pay: (key) => {
      const debt = find(key)
      debt.status = "opened"
      debt.paid += 1
      announce(state, debt, "disbursed")
    },
    refusePayment: (reason, key) => {
      const data = reason === "disbursing_hour_closed"
        ? { cancel_reason_enumerator: reason }
        : {
          cancel_reason: reason,
          [reason]: { reason_enumerator: "agencia_conta_invalida", description: "341 0000 000000-7 NOME" }
        }
      cancel(find(key), reason, data)
    },
    expireSignature: (key) => cancel(find(key), "waiting_signature", { cancel_reason_enumerator: "waiting_signature" }),
    cancelFor: (reason, key) => cancel(find(key), reason, { cancel_reason_enumerator: reason }),
    setStatus: (status, key) => {
      find(key).status = status
    },
    setRefundStatus: (status, key) => {
      const { refund } = find(key)
      if (refund !== null) refund.status = status
    },
    payRefund: (key) => {
      const debt = find(key)
      debt.status = "canceled"
      if (debt.refund !== null) debt.refund.status = "paid"
      state.webhooks.add("reversal", debt.key, {
        webhook_type: "reversal",
        credit_operation_key: debt.key,
        contract_number: debt.contract_number,
        reversal: {
          status: "pending_fund",
          amount: debt.data.disbursed_issue_amount,
          is_total: true,
          is_operation_canceled: true
        }
      })
      announce(state, debt, "canceled", { cancel_reason_enumerator: "disbursed_amount_refunded" })
    }
  }
}
