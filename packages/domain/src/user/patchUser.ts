import { Predicate, Result, Struct } from "effect"
import { groupById, GroupName, groupRecord } from "../access/Group.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { makePatch, type PatchResult } from "../input/Patch.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { valueAt } from "../input/valueAt.ts"
import { Cpf } from "../values/Cpf.ts"
import { Email } from "../values/Email.ts"
import { PartnerId } from "../values/ids.ts"
import { Name } from "../values/Name.ts"
import { patchMetadata } from "../values/parseMetadata.ts"
import { Phone } from "../values/Phone.ts"
import { type UserDetail, UserStatus } from "./UserDetail.ts"

const patch = makePatch(
  { name: Name, email: Email, phone: Phone, cpf: Cpf, status: UserStatus, group_id: GroupName, partner_id: PartnerId },
  { immutable: ["cpf"] }
)

/** The password fields of a patch. They are not part of the record, so they are parsed separately. */
export const passwordFields: ReadonlyArray<string> = ["password", "current_password"]

/**
 * The CPF of a user is immutable. All other fields can be patched. USER-01 and USER-02 check the group, HIER-03 the
 * partner, and AUTH-18 the password.
 * @rule USER-03
 */
export const patchUser = (
  stored: UserDetail,
  body: unknown
): Result.Result<PatchResult<UserDetail>, ValidationFailed> => {
  const record = {
    name: stored.name,
    email: stored.email as Email,
    phone: stored.phone as Phone,
    cpf: stored.cpf as Cpf,
    status: stored.status,
    group_id: stored.group.group_id,
    partner_id: stored.partner_id
  }
  const fields = Predicate.isReadonlyObject(body) ? Struct.omit(body, [...passwordFields, "metadata"]) : body
  const checked = combineChecks({
    patched: patch.apply(record, fields),
    metadata: patchMetadata(stored.metadata, valueAt(body, ["metadata"]))
  })
  return Result.map(checked, ({ metadata, patched: { changed, next: { group_id, ...next } } }) => {
    const group = groupById(group_id)
    return {
      changed: changed || metadata !== stored.metadata,
      next: { ...stored, ...next, metadata, group: group === undefined ? stored.group : groupRecord(group) }
    }
  })
}
