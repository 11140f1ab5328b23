import { type Words } from "./wordsEn.ts"

/** The labels of the fields of records other than a KYC, by the names of the API. */
const recordLabels = (words: Words): Readonly<Record<string, string>> => ({
  ...words.fields.records,
  address: words.fields.groups.address,
  bank: words.bankAccount,
  created_from: words.since,
  created_to: words.until,
  customer: words.customer,
  disbursement: words.account,
  disbursement_hash: words.account,
  document: words.fields.groups.document,
  document_number: words.document,
  external_id: words.externalId,
  full_name: words.name,
  group: words.group,
  group_id: words.group,
  kyc: words.kyc,
  lenders: words.lenders,
  metadata: words.metadata,
  must_change_password: words.password,
  next_action: words.nextStep,
  parent_id: words.parentPartner,
  parent_uuid: words.parentPartner,
  partner_id: words.partner,
  partner_uuid: words.partner,
  partners: words.partner,
  period: words.commissions.month,
  person_type: words.personType,
  phone: words.phone,
  pix: words.fields.labels["pix.key"],
  proposal: words.contract,
  proposal_status: words.contract,
  quote: words.offers,
  revoked_at: words.accountStatus.REVOKED,
  status: words.status,
  stop_reason: words.reason
})

/**
 * Returns the label of a field that the API names by its path. A field without a label has that of the group that
 * contains it, and otherwise its path.
 */
export const fieldLabel = (words: Words, field: string): string => {
  const labels: Readonly<Record<string, string>> = { ...words.fields.labels, ...recordLabels(words) }
  const names = field.replace(/^(?:kyc|customer|partner)\./, "").replace(/^bank_account\b/, "bank").split(".")
  for (let length = names.length; length > 0; length--) {
    const path = names.slice(0, length).join(".")
    if (Object.hasOwn(labels, path)) return labels[path] ?? field
  }
  return field
}
