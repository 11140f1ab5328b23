import { originationFields, sharedFields } from "./originationFields.ts"
import { proposalFields } from "./proposalFields.ts"

type Descriptions = Readonly<Record<string, string>>

/** What the fields are whose schemas only say of what form they are. */
const always: Descriptions = {
  ...sharedFields,
  created_at: "When it was created: an instant in UTC, ISO 8601 with milliseconds",
  group_id: "The group's id",
  parent_id: "The partner above; null for a root",
  partner_id: "The partner's id",
  user_id: "The user's id"
}

/** What the fields are whose schemas say nothing. */
const otherwise: Descriptions = {
  cpf: "CPF: 11 digits",
  document_number: "CPF (11 digits) of a natural person, CNPJ (14 characters) of a legal entity",
  email: "E-mail address",
  must_change_password: "True until a user with a temporary password has chosen its own",
  name: "Name, 2 to 120 characters",
  partners: "The partners the user is tied to: today exactly one, the one `partner_id` names",
  phone: "Phone number: area code and 8 or 9 digits",
  temporary_password: "The password that was made for the user; it is shown this once"
}

const partnerStatus = "An inactive partner blocks itself and everything below it"
const userStatus = "An inactive user can neither sign in nor go on using a token"
const usersPartner = "The partner the user belongs to"
const newUsersPartner =
  "The partner the user belongs to, in the caller's subtree; the caller's own where it is left out"
const keyOf = "The key, in the format of its type"
const parent = "The partner above, in the caller's subtree"

/** What a field is in one record, by `Record.field` or, in a group of a record, `Record.group.field`. */
const inRecord: Descriptions = {
  ...originationFields,
  ...proposalFields,
  "CreatePartnerRequest.address": "The postal address",
  "CreatePartnerRequest.bank_account": "The bank account",
  "CreatePartnerRequest.pix": "The PIX key",
  "CreatePartnerResponseData.status": partnerStatus,
  "CreateUserRequest.group_id": "The user's group, which must not allow more than the caller is allowed",
  "CreateUserRequest.partner_id": newUsersPartner,
  "CreateUserRequest.password": "12 to 128 characters; a temporary password is made where it is left out",
  "CreateUserResponseData.partner_id": usersPartner,
  "CreateUserResponseData.status": userStatus,
  "Data.status": "The status of the partner or the user",
  "Group.label": "Its name for people",
  "Group.permissions": "What it allows; in the list of groups only",
  "Group.slug": "Its name for programs",
  "ListOfGroupsResponse.data": "Every group",
  "Partner.parent_uuid": `${parent}; the caller's own where it is left out`,
  "PartnerDetail.status": partnerStatus,
  "PartnerListItem.status": partnerStatus,
  "PartnersPage.content": "The partners of this page",
  "PartnersPage.sort": "The order that was applied",
  "SortInfo.direction": "Ascending or descending",
  "SortInfo.property": "The field that was sorted by",
  "TokenRequest.client_id": "For `client_credentials`, unless it comes as HTTP Basic",
  "TokenRequest.client_secret": "For `client_credentials`, unless it comes as HTTP Basic",
  "TokenRequest.grant_type": "How the request proves itself",
  "TokenRequest.password": "For `password`",
  "TokenRequest.refresh_token": "For `refresh_token`: the one of the last answer",
  "TokenRequest.scope": "Permissions, separated by spaces; everything the group allows where it is left out",
  "TokenRequest.username": "For `password`: the user's e-mail address",
  "TokenResponse.access_token": "A signed JWT (RFC 9068), for `Authorization: Bearer`",
  "TokenResponse.expires_in": "Seconds until the access token expires",
  "TokenResponse.refresh_token": "Continues the session, once, within 30 days; not for `client_credentials`",
  "TokenResponse.scope": "What the token allows: permissions, separated by spaces",
  "TokenResponse.token_type": "Always `Bearer`",
  "UpdatePartnerRequest.address": "The postal address: merged field by field, null clears it",
  "UpdatePartnerRequest.bank_account": "The bank account: merged field by field, null clears it",
  "UpdatePartnerRequest.partner": "What identifies the partner",
  "UpdatePartnerRequest.partner.document_number": "Immutable: ignored when it is the stored one",
  "UpdatePartnerRequest.partner.parent_uuid": `${parent}: another one moves the partner and everything below it`,
  "UpdatePartnerRequest.partner.type": "Immutable: ignored when it is the stored one",
  "UpdatePartnerRequest.pix": "The PIX key: merged field by field, null clears it",
  "UpdatePartnerRequest.pix.key": keyOf,
  "UpdateUserRequest.cpf": "Immutable: ignored when it is the stored one",
  "UpdateUserRequest.current_password": "Needed to change one's own password",
  "UpdateUserRequest.group_id": "The user's group, which must not allow more than the caller is allowed",
  "UpdateUserRequest.partner_id": `${usersPartner}, in the caller's subtree`,
  "UpdateUserRequest.password": "12 to 128 characters; temporary where somebody else sets it",
  "UpdateUserRequest.status": userStatus,
  "UserDetail.partner_id": usersPartner,
  "UserDetail.status": userStatus,
  "UserListItem.partner_id": usersPartner,
  "UserListItem.status": userStatus,
  "UsersPage.content": "The users of this page",
  "UsersPage.sort": "The order that was applied"
}

/** What the field at this path of a record is; `own` is what its schema says. */
export const fieldDescription = (path: ReadonlyArray<string>, own: unknown): unknown => {
  const name = path.at(-1) ?? ""
  return inRecord[path.join(".")] ?? always[name] ?? own ?? otherwise[name]
}
