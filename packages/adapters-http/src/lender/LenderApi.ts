import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Contract, ContractRequest, DisbursementRequest, Reference } from "./LenderContracts.ts"
import { Quotation, QuoteRequest } from "./LenderQuotes.ts"

const params = { reference: Reference }

const idempotencyKey = (description: string) => ({ "idempotency-key": Schema.String.annotate({ description }) })

const contractResponses = [Contract.pipe(HttpApiSchema.status(201)), Contract.pipe(HttpApiSchema.status(200))] as const

/** The operations of a lender. Lastro is the client. */
class Lending extends HttpApiGroup.make("lender", { topLevel: true }).add(
  HttpApiEndpoint.post("quote", "/quotes", { payload: QuoteRequest, success: Quotation }).annotateMerge(
    OpenApi.annotations({
      summary: "Price an anticipation",
      description:
        "Prices the loan with every rate table in one call. If no response arrives, Lastro retries with a higher " +
        "`attempt`. A refusal is a successful response (200)."
    })
  ),
  HttpApiEndpoint.post("submit", "/contracts", {
    headers: idempotencyKey("The proposal id"),
    payload: ContractRequest,
    success: contractResponses
  }).annotateMerge(OpenApi.annotations({
    summary: "Create a contract",
    description:
      "Creates a contract (201), once for each Idempotency-Key. A replay of the key returns the current state of that " +
      "contract (200). Lastro retries until it receives a response. A contract that the lender declines is REJECTED, not " +
      "an error."
  })),
  HttpApiEndpoint.get("contract", "/contracts/:reference", { params, success: Contract }).annotateMerge(
    OpenApi.annotations({
      summary: "Get the status of a contract",
      description: "Lastro polls this operation until the contract is PAID, CANCELLED or REJECTED."
    })
  ),
  HttpApiEndpoint.post("resubmit", "/contracts/:reference/disbursements", {
    params,
    headers: idempotencyKey("The proposal id, a slash and the number of the payment"),
    payload: DisbursementRequest,
    success: contractResponses
  }).annotateMerge(OpenApi.annotations({
    summary: "Pay to another account",
    description:
      "After DISBURSEMENT_FAILED, retries the payment to the new destination that the customer gave (201), once for each " +
      "Idempotency-Key. A replay of the key returns the current state of the contract (200)."
  }))
) {}

/** The protocol between `layerHttpLender` and a lender. A lender written with Effect can serve this definition. */
export class LenderApi extends HttpApi.make("lastro-lender").add(Lending).annotateMerge(OpenApi.annotations({
  title: "Lender protocol of Lastro",
  version: "1.0.0",
  summary: "The API that a lender serves so that Lastro can originate its FGTS loans",
  description: `
Lastro is the client and the lender is the server. There are no callbacks. Bodies are JSON in UTF-8 with snake_case names. Amounts
are reais with at most two decimals, rates are percentages. Lastro sends instants in UTC with milliseconds. The lender may use any
offset. Both sides ignore unknown fields.

**Decisions are successful responses.** Refused quotes, rejected contracts and failed payments have status 200 or 201 and a
\`Refusal\`. Lastro treats the lender as unavailable after a 4xx, a 5xx, a timeout of 30 seconds or a body that does not match this
document. Lastro then tries a quote at most three times. It retries contracts and payments until it receives a response. After
repeated failures, a circuit breaker stops calls for some seconds. Lastro does not follow redirects.

**Idempotency.** Lastro may repeat a request whose response was lost. Requests with the same Idempotency-Key are the same request.
`.trim(),
  license: { name: "MIT", identifier: "MIT" }
})) {}
