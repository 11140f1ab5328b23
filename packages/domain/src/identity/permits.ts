import { idOrNobody } from "../id/Uuid.ts"
import { authorize, authorizeGroups, authorizeUserPatch, authorizeUserRead } from "./Authorization.ts"
import { type Caller } from "./Caller.ts"
import { type Permission } from "./Permission.ts"

const needs = <P extends Permission>(permission: P) => (caller: Caller) => authorize(caller, permission)

/**
 * What each operation needs of its caller, and the proof of it that its use case demands.
 * @rule AUTH-12
 */
export const permits = {
  listPartners: needs("partners:read"),
  createPartner: needs("partners:write"),
  getPartner: needs("partners:read"),
  updatePartner: needs("partners:write"),
  deletePartner: needs("partners:write"),
  listUsers: needs("users:read"),
  createUser: needs("users:write"),
  /** `user_id` as it was sent: a malformed one is nobody's. */
  getUser: (caller: Caller, user_id: string) => authorizeUserRead(caller, idOrNobody(user_id)),
  /** `user_id` as it was sent: a malformed one is nobody's. */
  updateUser: (caller: Caller, user_id: string) => authorizeUserPatch(caller, idOrNobody(user_id)),
  deleteUser: needs("users:write"),
  listGroups: authorizeGroups,
  searchApplications: needs("fgts:read"),
  createApplication: needs("fgts:write"),
  getApplication: needs("fgts:read"),
  getApplicationStatus: needs("fgts:read"),
  requoteApplication: needs("fgts:write"),
  acceptOffer: needs("fgts:write"),
  getKyc: needs("kyc:read"),
  submitKyc: needs("fgts:write"),
  listProposals: needs("proposals:read"),
  getProposal: needs("proposals:read")
}
