import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Contract, ContractV1, Reference } from "./ContractState.ts"
import {
  Cancellation,
  CancellationRequest,
  ContractRequest,
  DisbursementRequest,
  RefundRequest
} from "./LenderContracts.ts"
import { Quotation, QuotationV1, QuoteRequest } from "./LenderQuotes.ts"

const params = { reference: Reference }

const idempotencyKey = (description: string) => ({ "idempotency-key": Schema.String.annotate({ description }) })

const contractResponses = [Contract.pipe(HttpApiSchema.status(201)), Contract.pipe(HttpApiSchema.status(200))] as const

const quoteResponses = [Quotation.pipe(HttpApiSchema.status(200)), Quotation.pipe(HttpApiSchema.status(202))] as const

/** The operations that Lastro calls and a lender serves. */
class Lending extends HttpApiGroup.make("lender", { topLevel: true }).add(
  HttpApiEndpoint.post("quote", "/quotes", { payload: QuoteRequest, success: quoteResponses }).annotateMerge(
    OpenApi.annotations({
      summary: "Price an advance on FGTS withdrawals",
      description:
        "Prices the loan with every rate table in one call. If no response arrives, Lastro retries with a higher " +
        "`attempt`. A refusal is a successful response (200). Version 2: a lender that cannot answer yet responds PENDING. " +
        "Lastro repeats the request with `lender_state` at `look_at`, or when the lender calls back. A PENDING response and " +
        "status 429 do not increase `attempt`."
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
      description:
        "Lastro polls this operation until the contract is PAID, CANCELLED or REJECTED, and at growing intervals for 10 days " +
        "after PAID. Before Lastro offers an exit to a caller, it can read the reference `lastro-protocol`, which no contract " +
        "has, to receive the header `Lastro-Lender-Protocol`. Respond 404."
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
      "Idempotency-Key. A replay of the key returns the current state of the contract (200). 400 and 422 refuse the " +
      "destination: the payment is DISBURSEMENT_FAILED again, and the customer can give another one."
  })),
  HttpApiEndpoint.post("cancel", "/contracts/cancellations", {
    payload: CancellationRequest,
    success: Cancellation
  }).annotateMerge(OpenApi.annotations({
    summary: "Cancel a contract",
    description:
      "Version 2. Cancels the contract of a proposal before its payment, and returns its state: CANCELLED, PAID if the " +
      "payment was faster, or the present status if the lender decides later. Idempotent by `proposal_id`. If the lender has " +
      "no contract for the proposal, it returns null and rejects a later submission of the same proposal. Respond 409 or 422 " +
      "if you refuse it for this contract, for good, and 501 if you do not offer this operation."
  })),
  HttpApiEndpoint.post("refund", "/contracts/:reference/refunds", {
    params,
    headers: idempotencyKey("The proposal id, a slash and `requested_at`"),
    payload: RefundRequest,
    success: contractResponses
  }).annotateMerge(OpenApi.annotations({
    summary: "Refund a paid contract",
    description:
      "Version 2. Starts the refund of a paid contract (201), once for each Idempotency-Key, and returns its state with " +
      "`refund`. A replay of the key returns the current state (200). Respond 409 or 422 if you refuse it for this contract, " +
      "for good, and 501 if you do not offer this operation."
  })),
  HttpApiEndpoint.post("signatureLink", "/contracts/:reference/signature-links", {
    params,
    success: contractResponses
  }).annotateMerge(OpenApi.annotations({
    summary: "Create a signature link",
    description:
      "Version 2. Creates a new signature link for a contract that is AWAITING_SIGNATURE, and returns its state with the new " +
      "`signature_url`. Respond 409 or 422 if you refuse it for this contract, for good, and 501 if you do not offer this " +
      "operation."
  }))
) {}

const contractResponsesV1 = [
  ContractV1.pipe(HttpApiSchema.status(201)),
  ContractV1.pipe(HttpApiSchema.status(200))
] as const

/**
 * The operations with the responses of protocol version 1. The requests are those of {@link LenderApi}, without the
 * fields of version 2.
 */
export class LenderApiV1 extends HttpApi.make("lastro-lender-1").add(
  HttpApiGroup.make("lender").add(
    HttpApiEndpoint.post("quote", "/quotes", { success: QuotationV1 }),
    HttpApiEndpoint.post("submit", "/contracts", { success: contractResponsesV1 }),
    HttpApiEndpoint.get("contract", "/contracts/:reference", { params, success: ContractV1 }),
    HttpApiEndpoint.post("resubmit", "/contracts/:reference/disbursements", { params, success: contractResponsesV1 })
  )
) {}

/** The protocol between `layerHttpLender` and a lender. A lender written with Effect can serve this definition. */
export class LenderApi extends HttpApi.make("lastro-lender").add(Lending).annotateMerge(OpenApi.annotations({
  title: "Lender protocol of Lastro",
  version: "2.0.0",
  summary: "The API that a lender serves so that Lastro can originate its FGTS loans",
  description: `
Lastro is the client and the lender is the server. Bodies are JSON in UTF-8 with snake_case names. Amounts are reais with at most
two decimals, rates are percentages. Lastro sends instants in UTC with milliseconds. The lender may use any offset. Both sides
ignore unknown fields.

**Versions.** Every request has the header \`Lastro-Lender-Protocol: 2\`. A lender that sends the same header with every response
speaks version 2. Any other lender is served as version 1. Version 2 adds fields and operations, which this document marks with
"Version 2". A version 1 lender never receives them, and its responses are read without them. A submission contains the fields of
version 2 if the response with its offer had the header, so that each repetition has the same body.

**Decisions are successful responses.** Refused quotes, rejected contracts and failed payments have status 200 or 201 and a
\`Refusal\`. Lastro treats the lender as unavailable after a 4xx, a 5xx, a timeout of 30 seconds or a body that does not match this
document. There are two exceptions. With 400 or 422, the lender refuses the data of a submission, or the destination of a payment.
With 409 or 422, it refuses a cancellation, a refund or a signature link for good. Lastro tries a quote at most three times. It
retries contracts and payments until it receives a response. After repeated failures, a circuit breaker stops calls for some
seconds. Lastro does not follow redirects.

**Throttling.** Respond 429, or 503 with \`Retry-After\`, to a request that is one too many. A response 429 without this header
can have the body \`{"retry_after":30}\`, in seconds. Lastro repeats the request later, and counts neither an attempt nor a
failure. 401 and 403 mean that the lender refuses the credentials of Lastro.

**Idempotency.** Lastro may repeat a request whose response was lost. Requests with the same Idempotency-Key are the same request.

**KYC.** Every lender receives the required fields of a \`Borrower\`. The operator configures which of the optional fields this
lender requires too (version 2), and its disbursement methods. A customer cannot accept an offer of this lender without them.

**Callbacks (version 2).** The lender can announce a change with a POST to \`/api/v1/lender-callbacks/NAME\` of Lastro,
where NAME is \`http\` or the code of the lender. Lastro then
reads the quote or the contract; it does not trust the content. The body is a \`Callback\`. It is signed as Standard Webhooks 1.0
with the secret that the operator configures: headers \`webhook-id\`, \`webhook-timestamp\` (seconds since 1970) and
\`webhook-signature\`, which is \`v1,\` and the Base64 HMAC-SHA256 of \`id.timestamp.body\`. Lastro refuses a callback (401) if the
signature is wrong or the timestamp differs from its clock by more than 5 minutes. Callbacks are optional and may be repeated.
`.trim(),
  license: { name: "MIT", identifier: "MIT" }
})) {}
