import { Schema } from "effect"
import { Cpf } from "../documents/Cpf.ts"
import { Email } from "../documents/Email.ts"
import { Name } from "../documents/Name.ts"
import { Phone } from "../documents/Phone.ts"
import { PartnerId } from "../id/PartnerId.ts"
import { GroupId } from "../identity/Group.ts"
import { Password } from "../identity/Password.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { UserDetail, UserStatus } from "./UserDetail.ts"

/** The body that creates a user. */
export const CreateUserRequest = Schema.Struct({
  name: Name,
  email: Email,
  phone: Phone,
  cpf: Cpf,
  group_id: GroupId,
  /** The caller's partner when absent. */
  partner_id: Schema.optionalKey(PartnerId),
  /** A temporary one is made when absent. */
  password: Schema.optionalKey(Password)
}).annotate({ identifier: "CreateUserRequest" })
export type CreateUserRequest = typeof CreateUserRequest.Type

/** The body that patches a user: only what is present changes. `cpf` is immutable. */
export const UpdateUserRequest = Schema.Struct({
  name: Schema.optionalKey(Name),
  email: Schema.optionalKey(Email),
  phone: Schema.optionalKey(Phone),
  cpf: Schema.optionalKey(Cpf),
  status: Schema.optionalKey(UserStatus),
  group_id: Schema.optionalKey(GroupId),
  partner_id: Schema.optionalKey(PartnerId),
  password: Schema.optionalKey(Password),
  /** Needed to change one's own password. */
  current_password: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "UpdateUserRequest" })

/** What every answer about a user or partner says. */
export const Data = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  phone: Schema.String,
  status: Schema.String,
  created_at: Timestamp
}).annotate({ identifier: "Data" })

/** A new user, with the temporary password where one was made: shown this once. */
export const CreateUserResponseData = Schema.Struct({
  ...UserDetail.fields,
  temporary_password: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "CreateUserResponseData" })
export type CreateUserResponseData = typeof CreateUserResponseData.Type

/** The answer of creating a user. */
export const CreateUserResponse = Schema.Struct({ data: CreateUserResponseData }).annotate({
  identifier: "CreateUserResponse"
})

/** The answer of reading or patching a user. */
export const UserDetailResponse = Schema.Struct({ data: UserDetail }).annotate({ identifier: "UserDetailResponse" })
