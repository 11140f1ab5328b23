import { Schema } from "effect"
import { field } from "../input/field.ts"
import { optionalFields } from "../input/Patch.ts"
import { Address } from "../values/Address.ts"
import { BankAccount } from "../values/BankAccount.ts"
import { DocumentNumber, PersonType } from "../values/DocumentNumber.ts"
import { Email } from "../values/Email.ts"
import { PartnerId } from "../values/ids.ts"
import { metadataPatchField, newMetadataField } from "../values/Metadata.ts"
import { Name } from "../values/Name.ts"
import { Phone } from "../values/Phone.ts"
import { Pix, pixFields } from "../values/Pix.ts"
import { PartnerDetailBody, PartnerStatus } from "./PartnerDetail.ts"

const partnerFields = {
  type: field(
    PersonType,
    "`pf`: natural person, identified by CPF. `pj`: legal entity, identified by CNPJ. Immutable: a patch may only repeat it.",
    "pj"
  ),
  name: field(Name, "Name, 2 to 120 characters", "Correspondente Paulista Ltda"),
  email: field(Email, "E-mail address, 3 to 254 characters", "contato@paulista.example"),
  phone: field(
    Phone,
    "Phone number: area code and 8 or 9 digits. Punctuation and a leading +55 or 55 are accepted and removed.",
    "1133334444"
  ),
  document_number: field(
    DocumentNumber,
    "CPF of a natural person or CNPJ of a legal entity, check digits verified. Punctuation is accepted and removed. " +
      "Immutable: a patch may only repeat it."
  ),
  parent_uuid: field(
    PartnerId,
    "The parent partner's id, in the caller's subtree. Default: the caller's own partner. In a patch, another id moves the " +
      "partner with its subtree."
  )
}

/** The identity, contact data and parent of a new partner. */
export const Partner = Schema.Struct({
  ...partnerFields,
  parent_uuid: Schema.optionalKey(partnerFields.parent_uuid)
}).annotate({ identifier: "Partner", description: "Identity and contact data of a new partner" })

/** The request body that creates a partner. */
export const CreatePartnerRequest = Schema.Struct({
  partner: Partner,
  pix: field(Schema.optionalKey(Schema.NullOr(Pix)), "PIX key"),
  address: field(Schema.optionalKey(Schema.NullOr(Address)), "Postal address"),
  bank_account: field(Schema.optionalKey(Schema.NullOr(BankAccount)), "Bank account"),
  metadata: newMetadataField
}).annotate({ identifier: "CreatePartnerRequest", description: "Request body that creates a partner" })
export interface CreatePartnerRequest extends Schema.Schema.Type<typeof CreatePartnerRequest> {}

const merged = <S extends Schema.Top>(group: S, description: string) =>
  field(Schema.optionalKey(Schema.NullOr(group)), `${description}. Merged field by field; null removes it.`)

const patchedFields = {
  ...partnerFields,
  status: field(
    PartnerStatus,
    "While a partner is inactive, the users and API clients of its whole subtree cannot sign in or use a token. The " +
      "status of your own partner is changed by a partner above it.",
    "inactive"
  )
}

/**
 * The request body that patches a partner. Only the fields present change. `type` and `document_number` are immutable.
 */
export const UpdatePartnerRequest = Schema.Struct({
  partner: field(Schema.optionalKey(Schema.Struct(optionalFields(patchedFields))), "Identity and contact data"),
  pix: merged(Schema.Struct(optionalFields(pixFields)), "PIX key"),
  address: merged(Schema.Struct(optionalFields(Address.fields)), "Postal address"),
  bank_account: merged(Schema.Struct(optionalFields(BankAccount.fields)), "Bank account"),
  metadata: metadataPatchField
}).annotate({
  identifier: "UpdatePartnerRequest",
  description: "Request body that changes a partner. Only the fields present change.",
  examples: [{ partner: { name: "Correspondente Paulista Ltda" } }]
})
export interface UpdatePartnerRequest extends Schema.Schema.Type<typeof UpdatePartnerRequest> {}

/** The response to reading or patching a partner. */
export const PartnerDetailResponse = Schema.Struct({ data: PartnerDetailBody }).annotate({
  identifier: "PartnerDetailResponse",
  description: "The partner"
})

/** The new partner in the response to its creation, with the fields of a partner. */
export const CreatePartnerResponseData = PartnerDetailBody.annotate({
  identifier: "CreatePartnerResponseData",
  description: "The new partner, with the fields of `PartnerDetail`"
})

/** The response to creating a partner. */
export const CreatePartnerResponse = Schema.Struct({ data: CreatePartnerResponseData }).annotate({
  identifier: "CreatePartnerResponse",
  description: "The new partner"
})
