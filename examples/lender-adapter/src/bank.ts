import { LenderUnavailable } from "@lastro/domain/lender"
import { type LenderContractStatus } from "@lastro/domain/loan"
import { Reais, timestamp } from "@lastro/domain/values"
import { Effect, Schema } from "effect"

/** The answer of the bank to `POST /balances`. */
export const Balance = Schema.Struct({ balance: Reais })

/** The bank's response that rejects a request. */
export const Refusal = Schema.Struct({ code: Schema.String, text: Schema.String })

/** The fields that the bank rejects. */
export const Invalid = Schema.Struct({ invalid: Schema.Array(Schema.String) })

/** The statuses of the bank, each with the status of Lastro. */
const statuses = {
  to_sign: "AWAITING_SIGNATURE",
  at_caixa: "GUARANTEE_PENDING",
  paying: "DISBURSING",
  payment_refused: "DISBURSEMENT_FAILED",
  paid: "PAID",
  cancelled: "CANCELLED",
  refused: "REJECTED"
} as const satisfies Readonly<Record<string, LenderContractStatus>>

/** A loan of the bank. */
export const Loan = Schema.Struct({
  id: Schema.String,
  status: Schema.Literals([
    "to_sign",
    "at_caixa",
    "paying",
    "payment_refused",
    "paid",
    "cancelled",
    "refused"
  ]),
  sign_at: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Refusal),
  payment: Schema.Int,
  paid_amount: Schema.NullOr(Reais),
  paid_at: Schema.NullOr(timestamp)
})

export const statusOf = ({ status }: typeof Loan.Type): LenderContractStatus => statuses[status]

/** A response of the bank. */
export interface BankResponse {
  readonly status: number
  readonly body: unknown
}

const unavailable = (detail: string) => new LenderUnavailable({ reason: "ASKED", detail })

/** Calls the bank. A response without a decision of the bank becomes a LenderUnavailable. */
export const callBank = (
  url: string,
  method: string,
  path: string,
  content?: object
): Effect.Effect<BankResponse, LenderUnavailable> =>
  Effect.gen(function*() {
    const { body, headers, isAnswer, status } = yield* Effect.tryPromise({
      try: async (signal) => {
        const sent = content === undefined ? {} : { body: JSON.stringify(content) }
        const response = await fetch(`${url}${path}`, { method, signal, redirect: "error", ...sent })
        // A gateway can reject a call with a body that is not JSON. For such a call, only the status decides.
        const isAnswer = response.ok || response.status === 400 || response.status === 422
        const body: unknown = isAnswer && response.status !== 204 ? await response.json() : null
        return { body, headers: response.headers, isAnswer, status: response.status }
      },
      // The detail appears in logs. Never put a request or a response into it.
      catch: () => unavailable(`${method}: the call failed`)
    })
    if (status === 429) {
      const seconds = Number(headers.get("retry-after") ?? 1)
      return yield* new LenderUnavailable({
        reason: "THROTTLED",
        detail: `${method}: status 429`,
        retry_after_ms: seconds * 1_000
      })
    }
    if (status === 401 || status === 403) {
      return yield* new LenderUnavailable({ reason: "FORBIDDEN", detail: `${method}: status ${status}` })
    }
    return isAnswer
      ? { status, body }
      : yield* unavailable(`${method}: status ${status}`)
  })

/** Decodes a body. A body that the bank does not document becomes a LenderUnavailable. */
export const decodeBody = <A, I>(schema: Schema.Codec<A, I>, body: unknown): Effect.Effect<A, LenderUnavailable> =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(body), () => unavailable("the response has an unknown form"))
