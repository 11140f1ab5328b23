import { type SimulatedDebt } from "./SimulatedDebts.ts"
import { type SimulatedWebhooks } from "./SimulatedWebhooks.ts"

/** A period of a balance. */
export interface BalancePeriod {
  readonly due_date: string
  readonly amount: number
}

/** The result of a balance request: periods, or an enumerator. */
export type BalanceOutcome = ReadonlyArray<BalancePeriod> | string

/** The state of a simulator. */
export interface SimulatorState {
  readonly now: () => number
  readonly webhooks: SimulatedWebhooks
  readonly debts: Map<string, SimulatedDebt>
  readonly documents: Map<string, Uint8Array>
  readonly balanceOf: (cpf: string) => BalanceOutcome
  /** Returns whether the simulator refuses an account. The account is found by its PIX key or account number. */
  readonly isAccountRefused: (account: unknown) => boolean
  /** The amount in reais by which an issued debt pays less than its simulation. */
  readonly shortfall: () => number
  /** The time in milliseconds after which a new debt can be found by its requester key, and a new refund has a code. */
  readonly readLag: () => number
  /** If true, every cancellation is refused, in any status of the debt. */
  readonly isCancelRefused: () => boolean
  /** If true, a debt becomes paid just before its cancellation is handled. */
  readonly isPaidFirst: () => boolean
}

/** A request whose signature is verified. */
export interface SimulatedRequest {
  readonly method: string
  readonly url: URL
  readonly json: unknown
  readonly file: Uint8Array | null
}

/** Returns the day of a time in São Paulo. */
export const day = (millis: number): string => new Date(millis - 3 * 3_600_000).toISOString().slice(0, 10)

/** Returns a time as webhooks state it. */
export const eventTime = (millis: number): string => new Date(millis).toISOString().slice(0, 19)

/** Returns whether a day is a Saturday or a Sunday. */
export const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())

/** Adds the webhook of a debt's status. */
export const announce = (
  { now, webhooks }: SimulatorState,
  debt: SimulatedDebt,
  status: string,
  data: object = {}
): void =>
  webhooks.add(`debt_${status}`, debt.key, {
    webhook_type: "debt",
    key: debt.key,
    status,
    event_datetime: eventTime(now()),
    data
  })
