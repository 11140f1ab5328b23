export { judgeLenderOffer } from "../quote/judgeLenderOffer.ts"
export {
  type ContractSubmission,
  type DisbursementResubmission,
  Lender,
  type LenderContract,
  type LenderOffer,
  type LenderQuotation,
  type LenderQuoteRequest,
  LenderUnavailable
} from "./Lender.ts"
