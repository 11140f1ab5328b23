import { Lender, noRequirements, SubmissionInvalid, withoutExits } from "@lastro/domain/lender"
import { type ContractSubmission, type LenderContract } from "@lastro/domain/loan"
import { readRejection } from "@lastro/domain/offer"
import { reaisOf } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { Balance, callBank, decodeBody, Invalid, Loan, Refusal, statusOf } from "./bank.ts"
import { priceBalance } from "./quote.ts"

/** The KYC fields, by the names that the bank uses. */
const kycPaths: ReadonlyMap<string, string> = new Map([["cep", "address.zipcode"], ["mother", "mother_name"]])

const toContract = (loan: typeof Loan.Type): LenderContract => {
  const { id, paid_amount, paid_at, payment, reason, sign_at } = loan
  return {
    reference: id,
    status: statusOf(loan),
    signature_url: sign_at,
    rejection: reason === null ? null : readRejection(reason.code, reason.text, null),
    disbursement_attempt: payment,
    paid: paid_amount === null || paid_at === null ? null : { amount: paid_amount, at: paid_at, end_to_end_id: null }
  }
}

/**
 * Makes the body that creates a loan. The path contains the proposal id, so a repeated request creates no second loan.
 */
const toLoan = ({ acceptance, customer, disbursement, kyc, offer }: ContractSubmission) => ({
  cpf: customer.cpf,
  name: kyc.name,
  mother: kyc.mother_name,
  cep: kyc.address?.zipcode,
  amount: reaisOf(offer.terms.net_amount),
  installments: offer.terms.installments.map(({ amount, due_date }) => ({ due_date, amount: reaisOf(amount) })),
  accepted_at: acceptance.accepted_at,
  accepted_from: acceptance.ip,
  pay_to: disbursement
})

const pathOf = (reference: string) => `/loans/${encodeURIComponent(reference)}`

/** Connects to the bank at a URL. */
export const layerBankLender = (url: string): Layer.Layer<Lender> => {
  const loanOf = (method: string, path: string, content?: object) =>
    callBank(url, method, path, content).pipe(
      Effect.flatMap(({ body }) => decodeBody(Loan, body)),
      Effect.map(toContract)
    )
  return Layer.succeed(
    Lender,
    Lender.of({
      // The bank sends no callbacks, makes no refunds and renews no signature links.
      ...withoutExits,
      requirements: {
        ...noRequirements("example-bank"),
        // The domain keeps these limits for all nodes together.
        throttle: { requests_per_second: 5, max_in_flight: 4 }
      },
      quote: (request) =>
        Effect.gen(function*() {
          const { birth_date, cpf } = request.customer
          const { body, status } = yield* callBank(url, "POST", "/balances", { cpf, birth_date })
          if (status >= 400) {
            const { code, text } = yield* decodeBody(Refusal, body)
            return { kind: "REFUSED", rejection: readRejection(code, text, null) }
          }
          return priceBalance(request, (yield* decodeBody(Balance, body)).balance)
        }),
      submit: (submission) =>
        Effect.gen(function*() {
          const { body, status } = yield* callBank(url, "PUT", pathOf(submission.proposal_id), toLoan(submission))
          if (status < 300) return toContract(yield* decodeBody(Loan, body))
          const { invalid } = yield* decodeBody(Invalid, body)
          const fields = invalid.flatMap((name) => {
            const field = kycPaths.get(name)
            return field === undefined ? [] : [{ field, code: "INVALID" }]
          })
          return yield* new SubmissionInvalid({ fields, message: null })
        }),
      contract: (reference) => loanOf("GET", pathOf(reference)),
      resubmit: ({ disbursement, disbursement_attempt, reference }) =>
        loanOf("PUT", `${pathOf(reference)}/payments/${disbursement_attempt}`, { pay_to: disbursement }),
      exits: Effect.succeed({ cancel: true, refund: false, signature_link: false }),
      cancel: ({ proposal_id }) =>
        Effect.gen(function*() {
          const { body, status } = yield* callBank(url, "DELETE", pathOf(proposal_id))
          // 204 means that the bank has no loan with this id, and will no longer create one.
          return status === 204 ? null : toContract(yield* decodeBody(Loan, body))
        })
    })
  )
}
