import { type SimulatedDebt } from "./SimulatedDebts.ts"
import { type SimulatedWebhooks } from "./SimulatedWebhooks.ts"

/** A period with its balance. */
export interface BalancePeriod {
  readonly due_date: string
  /** In reais. */
  readonly amount: number
}

/** The result of a balance request: periods, or the code of a refusal. */
export type BalanceOutcome = ReadonlyArray<BalancePeriod> | string

/** The behaviour of a simulator, which a test can change. */
export interface SimulatorSettings {
  /** The result of balance requests. Null: it depends on the last two digits of the CPF. */
  balance: BalanceOutcome | null
  /** The periods in the results of successful balance requests. */
  periods: ReadonlyArray<BalancePeriod>
  /** The simulator refuses accounts that contain this text. */
  refusedAccount: string | null
  /** The amount in reais by which an issued debt pays less than its simulation. */
  shortfall: number
  /**
   * The delay in milliseconds until a new debt can be found by its requester key, and until a new refund has a code.
   */
  readLag: number
  /** True if every cancellation is refused. */
  isCancelRefused: boolean
  /** True if a debt becomes paid just before its cancellation is handled. */
  isPaidFirst: boolean
}

/** Returns whether the simulator refuses an account. */
export const isAccountRefused = ({ settings: { refusedAccount } }: SimulatorState, account: unknown): boolean =>
  refusedAccount !== null && JSON.stringify(account).includes(refusedAccount)

/** The state of a simulator. */
export interface SimulatorState {
  readonly now: () => number
  readonly webhooks: SimulatedWebhooks
  readonly debts: Map<string, SimulatedDebt>
  readonly documents: Map<string, Uint8Array>
  readonly settings: SimulatorSettings
}

/** A received request with a verified signature. */
export interface SimulatedRequest {
  readonly method: string
  readonly url: URL
  readonly json: unknown
  readonly file: Uint8Array | null
}

/** Returns the calendar day of a time in America/Sao_Paulo. */
export const day = (millis: number): string => new Date(millis - 3 * 3_600_000).toISOString().slice(0, 10)

/** Returns a time in the format of webhooks. */
export const eventTime = (millis: number): string => new Date(millis).toISOString().slice(0, 19)

/** Returns whether a day is a Saturday or a Sunday. */
export const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())

/** Adds the webhook about a debt's status. */
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

/** An answer of the simulator. */
export interface SimulatedAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a successful answer. */
export const answered = (body: unknown, status = 200): SimulatedAnswer => ({ status, body })

/** Makes an error in the form that most pages of QI Tech show: JSON inside a string. */
export const refusedWith = (status: number, code: string, description: string): SimulatedAnswer => ({
  status,
  body: {
    data: JSON.stringify({ title: "Bad Request", description, translation: description, extra_fields: {}, code })
  }
})

/** Makes an error of QI Tech's gateway: a JSON object, not JSON inside a string. */
export const refusedByGateway = (status: number, code: string, description: string): SimulatedAnswer => ({
  status,
  body: { title: "QI Unauthenticated", description, translation: description, code }
})
