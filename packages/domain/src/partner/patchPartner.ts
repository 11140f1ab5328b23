import { Predicate, Result, Schema, Struct } from "effect"
import { OwnPartner } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { fieldProblem, problem } from "../input/FieldProblem.ts"
import { makePatch, type PatchResult } from "../input/Patch.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { valueAt } from "../input/valueAt.ts"
import { Address } from "../values/Address.ts"
import { BankAccount } from "../values/BankAccount.ts"
import { DocumentNumber, PersonType } from "../values/DocumentNumber.ts"
import { Email } from "../values/Email.ts"
import { PartnerId } from "../values/ids.ts"
import { Name } from "../values/Name.ts"
import { patchMetadata } from "../values/parseMetadata.ts"
import { Phone } from "../values/Phone.ts"
import { Pix } from "../values/Pix.ts"
import { type PartnerDetail, PartnerStatus } from "./PartnerDetail.ts"

/** The merge patch of a partner. Its fields are grouped as in the request. */
const patch = makePatch({
  partner: Schema.Struct({
    type: PersonType,
    name: Name,
    email: Email,
    phone: Phone,
    document_number: DocumentNumber,
    status: PartnerStatus,
    parent_uuid: Schema.NullOr(PartnerId)
  }),
  pix: Schema.NullOr(Pix),
  address: Schema.NullOr(Address),
  bank_account: Schema.NullOr(BankAccount)
}, { immutable: ["partner.type", "partner.document_number"] })

/**
 * A caller cannot activate or deactivate its own partner. Only callers of a partner above can, and the operator for a
 * root.
 * @rule PARTNER-05
 */
export const judgeStatusChange = (
  caller: Pick<Caller, "partner_id">,
  stored: Pick<PartnerDetail, "partner_id" | "status">,
  body: unknown
): Result.Result<void, OwnPartner> => {
  const status = valueAt(body, ["partner", "status"])
  const isChange = PartnerStatus.literals.some((literal) => literal === status) && status !== stored.status
  return caller.partner_id === stored.partner_id && isChange ? Result.fail(new OwnPartner()) : Result.void
}

/**
 * The person type and the document number of a partner are immutable. A partner with a parent cannot become a root.
 * HIER-03 checks the access to a new parent.
 * @rule PARTNER-02
 */
export const patchPartner = (
  stored: PartnerDetail,
  body: unknown
): Result.Result<PatchResult<PartnerDetail>, ValidationFailed> => {
  const patched = patch.apply({
    partner: {
      type: stored.person_type,
      name: stored.name,
      email: stored.email as Email,
      phone: stored.phone as Phone,
      document_number: stored.document_number as DocumentNumber,
      status: stored.status,
      parent_uuid: stored.parent_id
    },
    pix: stored.pix,
    address: stored.address,
    bank_account: stored.bank_account
  }, Predicate.isReadonlyObject(body) ? Struct.omit(body, ["metadata"]) : body)
  const metadata = patchMetadata(stored.metadata, valueAt(body, ["metadata"]))
  const parent = stored.parent_id !== null && valueAt(body, ["partner", "parent_uuid"]) === null
    ? Result.fail(fieldProblem("partner.parent_uuid", problem("NOT_NULLABLE")))
    : Result.void
  return Result.map(combineChecks({ patched, parent, metadata }), ({ metadata, patched }) => {
    const { changed, next: { partner, ...groups } } = patched
    return {
      changed: changed || metadata !== stored.metadata,
      next: {
        ...stored,
        ...groups,
        metadata,
        name: partner.name,
        email: partner.email,
        phone: partner.phone,
        status: partner.status,
        parent_id: partner.parent_uuid
      }
    }
  })
}
