import { type Layer } from "effect"
import { type ExportName } from "../export/exportList.ts"
import { type PrincipalRepository } from "../identity/Principal.ts"
import { administration } from "../operation/administration.ts"
import { type AdministrationFunctions } from "./AdministrationFunctions.ts"
import { operationFunctions, type PortsOf } from "./CallerFunctions.ts"
import { type EventFunctions, eventFunctions, type PortsOfEvents } from "./EventFunctions.ts"
import { type ExportFunctions, exportFunctions, type PortsOfExports } from "./ExportFunctions.ts"
import { type Facade } from "./Facade.ts"
import { type HostFunctions, hostFunctions } from "./HostFunctions.ts"
import { type PrincipalFunctions, principalFunctions } from "./IdentityFunctions.ts"
import { type TransactionCalls, type TransactionFunctions } from "./LastroTransaction.ts"
import { type IncompleteLayer, type OpenOptions, openPorts } from "./openPorts.ts"
import { type OperatorFunctions, operatorFunctions, type PortsOfOperator } from "./OperatorFunctions.ts"
import { type Run } from "./Run.ts"
import { transactionFunctions } from "./transactionFunctions.ts"

type AdministrationTable = typeof administration

type OtherLists = Exclude<ExportName, keyof AdministrationTable>

/** The ports of partners, users and groups. They need no lender, durable jobs or applications. */
export type PortsOfAdministration =
  | PortsOf<AdministrationTable>
  | PortsOfEvents
  | PortsOfExports<OtherLists>
  | PortsOfOperator
  | PrincipalRepository

/**
 * The use cases of partners, users and groups, and the operator's functions. `More` are further services of the layer,
 * besides the ports.
 */
export interface Administration<More = never>
  extends
    AdministrationFunctions,
    EventFunctions<AdministrationTransaction<More>>,
    ExportFunctions<OtherLists>,
    HostFunctions,
    PrincipalFunctions,
    OperatorFunctions,
    TransactionFunctions<AdministrationTransaction<More>>,
    Facade<PortsOfAdministration | More>
{}

/** The functions of {@link Administration} as part of one transaction. `LastroTransaction` describes it. */
export interface AdministrationTransaction<More = never>
  extends
    AdministrationFunctions,
    HostFunctions,
    PrincipalFunctions,
    OperatorFunctions,
    TransactionCalls<AdministrationTransaction<More>, PortsOfAdministration | More>
{}

const functionsOf = (run: Run<PortsOfAdministration>) => ({
  ...operationFunctions<PortsOfAdministration, AdministrationTable>(run, administration),
  ...hostFunctions(run),
  ...principalFunctions(run),
  ...operatorFunctions(run)
})

/**
 * Like `openLastro`, but only for partners, users and groups. The layer needs no lender, no durable jobs and no
 * application ports. `atomically` and `within` need the port `HostTransactions`, which the layers of
 * `@lastro/adapters-sql` provide. For tokens, open `openSignIn` with the same layer.
 */
export function openAdministration<More = never, E = never>(
  layer: Layer.Layer<PortsOfAdministration | More, E>,
  options?: OpenOptions
): Promise<Administration<More>>
/** Refuses a layer that lacks a service. The error of the compiler names the service. */
export function openAdministration<Out, E, In>(
  layer: IncompleteLayer<Out, E, In, PortsOfAdministration>,
  options?: OpenOptions
): Promise<Administration>
export async function openAdministration<More = never, E = never>(
  layer: Layer.Any,
  options: OpenOptions = {}
): Promise<Administration<More>> {
  const ports = await openPorts(layer as Layer.Layer<PortsOfAdministration | More, E>, options)
  const transactions = transactionFunctions<AdministrationTransaction<More>, PortsOfAdministration | More>({
    ...ports,
    functions: functionsOf
  })
  return {
    ...functionsOf(ports.run),
    ...exportFunctions<OtherLists>(ports.run),
    ...eventFunctions<AdministrationTransaction<More>>({ ...ports, ...transactions }),
    ...transactions,
    ...ports.facade
  }
}
