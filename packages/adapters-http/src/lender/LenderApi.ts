import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Contract, ContractRequest, DisbursementRequest, Reference } from "./LenderContracts.ts"
import { Quotation, QuoteRequest } from "./LenderQuotes.ts"

const params = { reference: Reference }

const idempotencyKey = (description: string) => ({ "idempotency-key": Schema.String.annotate({ description }) })

const made = [Contract.pipe(HttpApiSchema.status(201)), Contract.pipe(HttpApiSchema.status(200))] as const

/** What a lender answers, and Lastro asks. */
class Lending extends HttpApiGroup.make("lender", { topLevel: true }).add(
  HttpApiEndpoint.post("quote", "/quotes", { payload: QuoteRequest, success: Quotation }).annotateMerge(
    OpenApi.annotations({
      summary: "Price an anticipation",
      description:
        "Prices every table at once. Asking again, with a higher `attempt`, happens when the answer did not arrive. A " +
        "refusal is an answer too: 200."
    })
  ),
  HttpApiEndpoint.post("submit", "/contracts", {
    headers: idempotencyKey("The proposal's id"),
    payload: ContractRequest,
    success: made
  }).annotateMerge(OpenApi.annotations({
    summary: "Make a contract",
    description:
      "Makes the contract (201), once for each Idempotency-Key: the same key again is answered with how that contract " +
      "stands by now (200). We ask until there is an answer. A contract that the lender does not want is REJECTED, not " +
      "an error."
  })),
  HttpApiEndpoint.get("contract", "/contracts/:reference", { params, success: Contract }).annotateMerge(
    OpenApi.annotations({
      summary: "How a contract stands",
      description: "Asked again and again until the contract is PAID, CANCELLED or REJECTED."
    })
  ),
  HttpApiEndpoint.post("resubmit", "/contracts/:reference/disbursements", {
    params,
    headers: idempotencyKey("The proposal's id, a slash, and the number of the payment"),
    payload: DisbursementRequest,
    success: made
  }).annotateMerge(OpenApi.annotations({
    summary: "Pay to another account",
    description: "After DISBURSEMENT_FAILED the customer has said where to pay now: pays there (201), once for each " +
      "Idempotency-Key; the same key again is answered with how the contract stands by now (200)."
  }))
) {}

/**
 * The protocol that a lender serves and `layerHttpLender` speaks. A lender written with Effect can serve this very
 * definition.
 */
export class LenderApi extends HttpApi.make("lastro-lender").add(Lending).annotateMerge(OpenApi.annotations({
  title: "Lender protocol of Lastro",
  version: "1.0.0",
  summary: "What a lender answers so that Lastro can originate its FGTS loans",
  description: `
Lastro asks, the lender answers; nothing is ever called back. JSON in UTF-8 with snake_case names. Amounts are reais with at most
two decimals, rates are percent. Instants that we send are UTC with milliseconds; those of the lender may have any offset. Fields
that are not named here are ignored.

**What was decided is an answer:** refused quotes, rejected contracts and failed payments come with 200 or 201 and a \`Refusal\`.
Everything else, be it a 4xx, a 5xx, no answer within 30 seconds or a body that is not as described here, means that the lender is
not available. A quote is then tried three times in all, contracts and payments until there is an answer; while a lender keeps
failing it is left alone for some seconds. Redirects are not followed.

**Idempotency.** What is submitted may be submitted again, as its answer can get lost: the Idempotency-Key tells that it is the same.
`.trim(),
  license: { name: "MIT", identifier: "MIT" }
})) {}
