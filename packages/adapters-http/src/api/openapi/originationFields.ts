type Descriptions = Readonly<Record<string, string>>

/** What the fields are that mean the same in every record of origination. */
export const sharedFields: Descriptions = {
  annual_cet: "Total effective cost (CET) in percent a year, two decimals",
  annual_rate: "Interest rate in percent a year",
  application_id: "The application's id",
  calendar_days: "Calendar days from the release to the due date",
  created_by: "The id of the user or API client that did it",
  due_date: "When the annual withdrawal is due: a calendar day, YYYY-MM-DD",
  external_id: "The consumer's own reference; not unique",
  fee_amount: "The lender's fee in reais, taken out of the principal",
  gross_amount: "The sum of the instalments in reais",
  installments: "The annual withdrawals that are anticipated, in the order of their due dates",
  interest_amount: "The rest of the instalment in reais",
  iof_additional_amount: "The part of the IOF in reais that does not depend on time",
  iof_amount: "The tax on the loan (IOF) in reais, taken out of the principal",
  iof_daily_amount: "The part of the IOF in reais that grows with the days",
  kyc_complete: "Whether everything that has to be known of the customer was submitted",
  monthly_cet: "Total effective cost (CET) in percent a month, two decimals",
  monthly_rate: "Interest rate in percent a month",
  net_amount: "What the customer receives, in reais",
  offer_id: "The offer's id",
  principal_amount: "What is lent, in reais: the present value of the instalments",
  proposal_id: "The proposal's id",
  quote_id: "The quote's id"
}

const opened = "The id of the user or API client that opened it"
const updated = "When what is seen of it changed last, by a fact or by time alone"
const maxInstallments = "The most instalments; as many as the policy in force allows where it is"
const desired =
  "The net amount in reais that is enough: instalments are taken from the earliest until it is reached. The most that is " +
  "possible where it is"
const cpf = "CPF: 11 digits; masked for callers who may not read KYC"

/** What a field is in one record of origination. */
export const originationFields: Descriptions = {
  "AcceptFgtsOfferRequest.accepted_at":
    "When the customer agreed, at most five minutes ahead; now where it is left out",
  "AcceptFgtsOfferRequest.ip": "The address the customer agreed from, IPv4 or IPv6",
  "AcceptFgtsOfferRequest.terms_accepted": "That the customer has agreed to the terms: only `true` is an answer",
  "AcceptFgtsOfferRequest.user_agent": "The customer's browser",
  "CreateFgtsApplicationRequest.desired_amount": `${desired} left out or null`,
  "CreateFgtsApplicationRequest.max_installments": `${maxInstallments} left out or null`,
  "CreateFgtsApplicationRequest.partner_id":
    "The partner it is opened for, in the caller's subtree; the caller's own where it is left out",
  "Customer.birth_date": "Birth date, as CAIXA knows it: YYYY-MM-DD",
  "Customer.cpf": cpf,
  "FgtsApplication.created_by": opened,
  "FgtsApplication.partner_id": "The partner it was opened for",
  "FgtsApplication.proposal_id": "The proposal that the accepted offer has become; null before",
  "FgtsApplication.quotes": "Every quote, the first one first; only with `include=quotes`",
  "FgtsApplication.rejection": "Why there is no offer, no contract any more, or why the last payment failed; else null",
  "FgtsApplication.updated_at": updated,
  "FgtsApplicationList.data": "The applications that were found, newest first",
  "FgtsApplicationStatus.updated_at": updated,
  "FgtsApplicationStatus.version": "Rises with every visible change, also of time alone",
  "FgtsInstallment.amount": "The instalment in reais",
  "FgtsInstallment.number": "From 1",
  "FgtsInstallment.principal_amount": "The part of the instalment in reais that repays the principal",
  "FgtsKyc.birth_date": "Birth date, the application's",
  "FgtsKyc.complete": "Whether everything needed was submitted",
  "FgtsKyc.cpf": cpf,
  "FgtsKyc.is_pep": "Whether the customer is a politically exposed person",
  "FgtsKyc.missing_fields": "The paths of what has still to be submitted",
  "FgtsKyc.mother_name": "Mother's name, 2 to 120 characters",
  "FgtsKyc.prefilled_fields": "The paths of what is a suggestion: nothing of it was submitted",
  "FgtsKycBank.account_digit": "Check digit of the account; masked for callers who may not read KYC",
  "FgtsKycBank.account_number":
    "Account: 1 to 20 digits, without its check digit; masked for callers who may not read KYC",
  "FgtsOffer.expires_at": "From this instant on it cannot be accepted any more",
  "FgtsOffer.policy": "The version of the rule table that was applied",
  "FgtsOffer.table": "The lender's table of rates and fees",
  "FgtsOffer.table.code": "Its name for programs",
  "FgtsOffer.table.label": "Its name for people",
  "FgtsQuote.completed_at": "When the lender had answered, or was given up; null while it is pending",
  "FgtsQuote.number": "1 for the first quote of the application, 2 for the next",
  "FgtsQuote.offers": "What the lender offers, best net first",
  "FgtsQuote.rejection": "Why there is no offer at all; else null",
  "FgtsQuote.unpriced": "The tables that gave no offer",
  "FgtsQuote.unpriced.rejection": "Why the table gave no offer",
  "FgtsQuote.unpriced.table": "The lender's table of rates and fees",
  "FgtsQuote.unpriced.table.code": "Its name for programs",
  "FgtsQuote.unpriced.table.label": "Its name for people",
  "RejectionReason.message": "The lender's own sentence, for people",
  "RejectionReason.retry_at": "From when on it can, where that is known; else null",
  "RejectionReason.retryable": "Whether asking again can succeed",
  "RequoteFgtsApplicationRequest.desired_amount": `${desired} null; as in the quote before where it is left out`,
  "RequoteFgtsApplicationRequest.max_installments":
    `${maxInstallments} null; as in the quote before where it is left out`,
  "SubmitFgtsKycRequest.birth_date": "Birth date: has to be the application's",
  "SubmitFgtsKycRequest.complete": "Ignored",
  "SubmitFgtsKycRequest.cpf": "CPF: has to be the application's. The usual punctuation is accepted and dropped.",
  "SubmitFgtsKycRequest.is_pep": "Whether the customer is a politically exposed person",
  "SubmitFgtsKycRequest.missing_fields": "Ignored",
  "SubmitFgtsKycRequest.mother_name": "Mother's name, 2 to 120 characters",
  "SubmitFgtsKycRequest.prefilled_fields": "Ignored",
  "SubmitFgtsKycRequest.status": "Ignored"
}

/** The fields that are masked in answers to callers who may not read KYC: what is true of the whole text is not true then. */
export const maskedFields: ReadonlySet<string> = new Set([
  "Customer.cpf",
  "FgtsKyc.cpf",
  "FgtsKycBank.account_digit",
  "FgtsKycBank.account_number"
])
