import { cancellationReasons, withdrawalReasons } from "@lastro/domain/loan"
import { Timestamp } from "@lastro/domain/values"
import { Schema } from "effect"
import { Contract, Reference } from "./ContractState.ts"
import { proposal_id } from "./LenderContracts.ts"
import { field } from "./lenderFields.ts"

const requested_at = field(Timestamp, "When the caller requested it. It is the same for every repetition")

/** A request to cancel a contract. */
export const CancellationRequest = Schema.Struct({
  proposal_id,
  reference: Schema.NullOr(Reference).annotate({
    description: "The lender's reference; null if its response to the submission was lost"
  }),
  reason: Schema.Literals(cancellationReasons).annotate({ description: "The reason of the caller" }),
  requested_at
}).annotate({ identifier: "CancellationRequest", description: "Version 2. A request to cancel a contract" })

/** The response to a cancellation. */
export const Cancellation = Schema.Struct({
  contract: Schema.NullOr(Contract).annotate({
    description: "The state of the contract; null if there is no contract for this proposal, and none will be created"
  })
}).annotate({ identifier: "Cancellation", description: "Version 2. The response to a cancellation" })

/** A request to refund a paid contract. */
export const RefundRequest = Schema.Struct({
  proposal_id,
  reason: Schema.Literals(withdrawalReasons).annotate({ description: "The reason of the customer" }),
  requested_at
}).annotate({ identifier: "RefundRequest", description: "Version 2. A request to refund a paid contract" })

/** The response to a submission with data that the lender rejects. */
export const InvalidData = Schema.Struct({
  fields: Schema.Array(Schema.Struct({
    field: Schema.String.annotate({
      description: "The path of the field within `customer` or `disbursement`",
      examples: ["address.zipcode"]
    }),
    code: Schema.String.annotate({
      description: "The machine-readable problem: upper-case letters, digits and `_`",
      examples: ["ZIPCODE_UNKNOWN"]
    })
  })).annotate({ description: "The refused fields; empty if the lender names none" })
}).annotate({ identifier: "InvalidData", description: "The fields of a submission that the lender refuses" })
