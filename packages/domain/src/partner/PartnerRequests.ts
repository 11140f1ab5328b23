import { Schema } from "effect"
import { Address } from "../documents/Address.ts"
import { BankAccount } from "../documents/BankAccount.ts"
import { DocumentNumber } from "../documents/DocumentNumber.ts"
import { Email } from "../documents/Email.ts"
import { Name } from "../documents/Name.ts"
import { PersonType } from "../documents/PersonType.ts"
import { Phone } from "../documents/Phone.ts"
import { Pix, pixFields } from "../documents/Pix.ts"
import { PartnerId } from "../id/PartnerId.ts"
import { optionalFields } from "../patch/optionalFields.ts"
import { PartnerDetail } from "./PartnerDetail.ts"

const partnerFields = {
  type: PersonType,
  name: Name,
  email: Email,
  phone: Phone,
  document_number: DocumentNumber,
  parent_uuid: PartnerId
}

/** What identifies a new partner. */
export const Partner = Schema.Struct({
  ...partnerFields,
  /** The caller's partner when absent. */
  parent_uuid: Schema.optionalKey(PartnerId)
}).annotate({ identifier: "Partner" })

/** The body that creates a partner. */
export const CreatePartnerRequest = Schema.Struct({
  partner: Partner,
  pix: Schema.optionalKey(Schema.NullOr(Pix)),
  address: Schema.optionalKey(Schema.NullOr(Address)),
  bank_account: Schema.optionalKey(Schema.NullOr(BankAccount))
}).annotate({ identifier: "CreatePartnerRequest" })
export type CreatePartnerRequest = typeof CreatePartnerRequest.Type

/** The body that patches a partner: only what is present changes. `type` and `document_number` are immutable. */
export const UpdatePartnerRequest = Schema.Struct({
  partner: Schema.optionalKey(Schema.Struct(optionalFields(partnerFields))),
  pix: Schema.optionalKey(Schema.NullOr(Schema.Struct(optionalFields(pixFields)))),
  address: Schema.optionalKey(Schema.NullOr(Schema.Struct(optionalFields(Address.fields)))),
  bank_account: Schema.optionalKey(Schema.NullOr(Schema.Struct(optionalFields(BankAccount.fields))))
}).annotate({ identifier: "UpdatePartnerRequest" })

/** The answer of reading or patching a partner. */
export const PartnerDetailResponse = Schema.Struct({ data: PartnerDetail }).annotate({
  identifier: "PartnerDetailResponse"
})

/** A partner as its creation answers it: the detail. */
export const CreatePartnerResponseData = PartnerDetail.annotate({ identifier: "CreatePartnerResponseData" })

/** The answer of creating a partner. */
export const CreatePartnerResponse = Schema.Struct({ data: CreatePartnerResponseData }).annotate({
  identifier: "CreatePartnerResponse"
})
