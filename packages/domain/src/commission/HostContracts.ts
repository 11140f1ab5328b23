import { Context, type Effect, type Option } from "effect"
import { type InScope } from "../hierarchy/Scope.ts"
import { type PartnerId, type ProposalId } from "../values/ids.ts"
import { type HostContractStatus, type StoredHostContract } from "./HostContract.ts"

/** Stores the contracts of a host that has loans of its own. Writes join the surrounding transaction. */
export class HostContracts extends Context.Service<HostContracts, {
  /**
   * Stores a contract of a partner. Until the contract is paid or has ended, `dependents` of `PartnerRepository` counts
   * it for every partner of its frozen chain. Changes nothing, and returns false, if a contract with this id exists.
   */
  readonly insert: (partner: InScope<PartnerId>, contract: StoredHostContract) => Effect.Effect<boolean>
  /** Finds a contract in any tree, and locks it until the transaction ends. */
  readonly findForUpdate: (id: ProposalId) => Effect.Effect<Option.Option<StoredHostContract>>
  /** Replaces the status of a contract. */
  readonly setStatus: (id: ProposalId, status: HostContractStatus) => Effect.Effect<void>
}>()("@lastro/domain/commission/HostContracts") {}
