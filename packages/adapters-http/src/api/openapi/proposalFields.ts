const number = "What people call it by: 10 characters of Crockford's base 32"
const partner = "The partner that the application was opened for"
const acceptedBy = "The id of the user or API client that accepted the offer"

/** What a field is in one record of proposals. */
export const proposalFields: Readonly<Record<string, string>> = {
  "ProposalsPage.content": "The proposals of this page",
  "ProposalsPage.sort": "The order that was applied",
  "PublicCustomerSummary.cpf": "CPF, masked to its middle digits; in full in the detail, for callers who may read KYC",
  "PublicCustomerSummary.name": "The customer's name",
  "PublicDisbursementAccount.account_digit": "Check digit of the account, masked; null where there is none",
  "PublicDisbursementAccount.account_number": "Account, masked to its last four digits; null for PIX",
  "PublicDisbursementAccount.account_type": "Kind of account; null for PIX",
  "PublicDisbursementAccount.agency": "Branch; null for PIX",
  "PublicDisbursementAccount.agency_digit": "Check digit of the branch; null where there is none",
  "PublicDisbursementAccount.bank_code": "Bank, by COMPE or ISPB; null for PIX",
  "PublicDisbursementAccount.pix_key": "PIX key, masked to its last four characters; null for a bank transfer",
  "PublicDisbursementAccount.pix_key_type": "Kind of PIX key; null for a bank transfer",
  "PublicLoanSummary.first_due_date": "When the first instalment is due, YYYY-MM-DD",
  "PublicLoanSummary.installments_count": "How many instalments there are",
  "PublicLoanSummary.last_due_date": "When the last instalment is due, YYYY-MM-DD",
  "PublicProposalDetail.created_by": acceptedBy,
  "PublicProposalDetail.number": number,
  "PublicProposalDetail.partner_id": partner,
  "PublicProposalDetail.product": "Always `FGTS`",
  "PublicProposalDetail.rejection": "Why it was cancelled or rejected, or why the last payment failed; else null",
  "PublicProposalDetail.signature_url": "Where the customer signs; null before there is something to sign",
  "PublicProposalDetail.status_history": "From the first status to the present one",
  "PublicProposalDetail.status_history.at": "When it came to the status",
  "PublicProposalDetail.status_history.reason": "The code of what led to it, where there is one; else null",
  "PublicProposalDetail.updated_at": "When it changed last",
  "PublicProposalListItem.created_by": acceptedBy,
  "PublicProposalListItem.number": number,
  "PublicProposalListItem.partner_id": partner,
  "PublicProposalListItem.product": "Always `FGTS`",
  "PublicProposalListItem.updated_at": "When it changed last"
}
