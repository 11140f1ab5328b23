import { Schema } from "effect"
import { GroupName } from "../access/Group.ts"
import { Password } from "../identity/Password.ts"
import { field } from "../input/field.ts"
import { Cpf } from "../values/Cpf.ts"
import { Email } from "../values/Email.ts"
import { PartnerId } from "../values/ids.ts"
import { metadataPatchField, newMetadataField } from "../values/Metadata.ts"
import { Name } from "../values/Name.ts"
import { Phone } from "../values/Phone.ts"
import { UserDetail, UserStatus } from "./UserDetail.ts"

const groupId = field(
  GroupName,
  "The id or slug of the user's group. It must not have a permission that the caller lacks."
)

/** The request body that creates a user. */
export const CreateUserRequest = Schema.Struct({
  name: Name,
  email: Email,
  phone: Phone,
  cpf: Cpf,
  group_id: groupId,
  partner_id: field(
    Schema.optionalKey(PartnerId),
    "The id of the user's partner, in the caller's subtree. Default: the caller's own partner."
  ),
  password: field(
    Schema.optionalKey(Password),
    "12 to 128 characters that are hard to guess: no common password, and not the user's name or e-mail address. If absent, the " +
      "response contains a generated temporary password."
  ),
  metadata: newMetadataField
}).annotate({ identifier: "CreateUserRequest", description: "Request body that creates a user" })
export interface CreateUserRequest extends Schema.Schema.Type<typeof CreateUserRequest> {}

/** The request body that patches a user. Only the fields present change. `cpf` is immutable. */
export const UpdateUserRequest = Schema.Struct({
  name: Schema.optionalKey(Name),
  email: Schema.optionalKey(Email),
  phone: Schema.optionalKey(Phone),
  cpf: field(Schema.optionalKey(Cpf), "CPF. Immutable: a patch may only repeat it."),
  status: Schema.optionalKey(UserStatus),
  group_id: Schema.optionalKey(groupId),
  partner_id: field(Schema.optionalKey(PartnerId), "The id of the user's partner, in the caller's subtree"),
  password: field(
    Schema.optionalKey(Password),
    "12 to 128 characters that are hard to guess: no common password, and not the user's name or e-mail address. A password set by " +
      "another user is temporary."
  ),
  current_password: field(Schema.optionalKey(Schema.String), "Required to change your own password or e-mail address"),
  metadata: metadataPatchField
}).annotate({
  identifier: "UpdateUserRequest",
  description: "Request body that changes a user. Only the fields present change.",
  examples: [{ name: "Maria da Conceição", status: "ACTIVE" }]
})
export interface UpdateUserRequest extends Schema.Schema.Type<typeof UpdateUserRequest> {}

/** The fields that responses about partners and users have in common. */
export const AccountData = Schema.Struct({
  name: UserDetail.fields.name,
  email: UserDetail.fields.email,
  phone: UserDetail.fields.phone,
  status: field(Schema.String, "Status of the partner or user", "active"),
  created_at: UserDetail.fields.created_at
}).annotate({ identifier: "Data", description: "Fields that partners and users have in common" })

/**
 * The new user in the response to its creation. If a temporary password was generated, only this response contains it.
 */
export const CreateUserResponseData = Schema.Struct({
  ...UserDetail.fields,
  temporary_password: field(
    Schema.optionalKey(Schema.String),
    "The generated temporary password. It is returned only here.",
    "T8x-4mQz-Wb2k-Rv7p"
  )
}).annotate({
  identifier: "CreateUserResponseData",
  description: "The new user: the fields of `UserDetail`, and the temporary password if one was generated"
})
export interface CreateUserResponseData extends Schema.Schema.Type<typeof CreateUserResponseData> {}

/** The response to creating a user. */
export const CreateUserResponse = Schema.Struct({ data: CreateUserResponseData }).annotate({
  identifier: "CreateUserResponse",
  description: "The new user"
})

/** The response to reading or patching a user. */
export const UserDetailResponse = Schema.Struct({ data: UserDetail }).annotate({
  identifier: "UserDetailResponse",
  description: "The user"
})
