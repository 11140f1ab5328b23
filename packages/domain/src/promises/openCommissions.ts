import { type Layer, type Result } from "effect"
import { type Caller } from "../access/Caller.ts"
import {
  type HostContract,
  type RecordAcceptanceRequest,
  type RecordContractRequest,
  type RecordPaymentRequest
} from "../commission/HostContract.ts"
import { commissions, hostContracts } from "../operation/commissions.ts"
import { operationFunctions, type PortsOf } from "./CallerFunctions.ts"
import { type CreateOptions } from "./CallOptions.ts"
import { type CommissionFunctions } from "./CommissionFunctions.ts"
import { type Facade } from "./Facade.ts"
import { type HostFunctions, hostFunctions } from "./HostFunctions.ts"
import { type TransactionCalls, type TransactionFunctions } from "./LastroTransaction.ts"
import { type IncompleteLayer, type OpenOptions, openPorts } from "./openPorts.ts"
import { type FailureOfEntry, type Untrusted } from "./OperationFailure.ts"
import { type Run } from "./Run.ts"
import { transactionFunctions } from "./transactionFunctions.ts"

type Tables = typeof commissions & typeof hostContracts

/** The ports of commissions. They need no lender, durable jobs or applications. */
export type PortsOfCommissions = PortsOf<Tables>

/** The errors of the functions on contracts of the host. */
export type HostContractFailure = FailureOfEntry<(typeof hostContracts)[keyof typeof hostContracts]>

type RecordContract<Request> = (
  caller: Caller,
  body: Untrusted<Request>,
  options?: CreateOptions
) => Promise<Result.Result<HostContract, HostContractFailure>>

/**
 * The functions with which a host records the steps of its own contracts. They require `commissions:write`, and a
 * seller in the caller's subtree. A repeated call changes nothing.
 */
export interface HostContractFunctions {
  /** Records that a contract was accepted, and freezes its commission with the plans of that day. */
  readonly recordAcceptance: RecordContract<RecordAcceptanceRequest>
  /** Records that the customer was paid. Each partner of the frozen chain earns its commission. */
  readonly recordPayment: RecordContract<RecordPaymentRequest>
  /** Records that a paid contract was reversed: the commissions are clawed back. */
  readonly recordReversal: RecordContract<RecordContractRequest>
  /** Records that a contract ended without a payment. Partners of its chain can then be deleted. */
  readonly recordEnd: RecordContract<RecordContractRequest>
}

/** The use cases of commissions. `More` are further services of the layer, besides the ports. */
export interface Commissions<More = never>
  extends
    CommissionFunctions,
    HostContractFunctions,
    HostFunctions,
    TransactionFunctions<CommissionTransaction<More>>,
    Facade<PortsOfCommissions | More>
{}

/** The functions of {@link Commissions} as part of one transaction. `LastroTransaction` describes it. */
export interface CommissionTransaction<More = never>
  extends
    CommissionFunctions,
    HostContractFunctions,
    HostFunctions,
    TransactionCalls<CommissionTransaction<More>, PortsOfCommissions | More>
{}

const functionsOf = (run: Run<PortsOfCommissions>) => ({
  ...operationFunctions<PortsOfCommissions, Tables>(run, { ...commissions, ...hostContracts }),
  ...hostFunctions(run)
})

/**
 * Like `openLastro`, but only for commissions, for a host that has loans of its own. The layer needs no lender, no
 * durable jobs and no application ports. The host records the acceptance, payment and reversal of its contracts. For
 * partners, open `openAdministration` with the same layer.
 */
export function openCommissions<More = never, E = never>(
  layer: Layer.Layer<PortsOfCommissions | More, E>,
  options?: OpenOptions
): Promise<Commissions<More>>
/** Refuses a layer that lacks a service. The error of the compiler names the service. */
export function openCommissions<Out, E, In>(
  layer: IncompleteLayer<Out, E, In, PortsOfCommissions>,
  options?: OpenOptions
): Promise<Commissions>
export async function openCommissions<More = never, E = never>(
  layer: Layer.Any,
  options: OpenOptions = {}
): Promise<Commissions<More>> {
  const ports = await openPorts(layer as Layer.Layer<PortsOfCommissions | More, E>, options)
  const transactions = transactionFunctions<CommissionTransaction<More>, PortsOfCommissions | More>({
    ...ports,
    functions: functionsOf
  })
  return {
    ...functionsOf(ports.run),
    ...transactions,
    ...ports.facade
  }
}
