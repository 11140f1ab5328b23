import { asOperator } from "../hierarchy/Scope.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { readApplications } from "../origination/ListApplications.ts"
import { readPartners } from "../partner/ListPartners.ts"
import { readUsers } from "../user/ListUsers.ts"
import { type PartnerId } from "../values/ids.ts"

/** Lists the partners in the subtree of a partner, like the API. The query is untrusted. For the operator only. */
export const listPartnersBelow = (partner: PartnerId, query: RawQuery) => readPartners(asOperator.scope(partner), query)

/** Lists the users in the subtree of a partner, like the API. The query is untrusted. For the operator only. */
export const listUsersBelow = (partner: PartnerId, query: RawQuery) => readUsers(asOperator.scope(partner), query)

/**
 * Lists the applications in the subtree of a partner, like the API, with masked personal data. The query is untrusted.
 * For the operator only.
 */
export const listApplicationsBelow = (partner: PartnerId, query: RawQuery) =>
  readApplications(asOperator.scope(partner), "masked", query)
