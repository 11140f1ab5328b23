import { type Layer } from "effect"
import { type ExportName } from "../export/exportList.ts"
import { type PrincipalRepository } from "../identity/Principal.ts"
import { origination } from "../operation/origination.ts"
import { operationFunctions, type PortsOf } from "./CallerFunctions.ts"
import { type EventFunctions, eventFunctions, type PortsOfEvents } from "./EventFunctions.ts"
import { type ExportFunctions, exportFunctions, type PortsOfExports } from "./ExportFunctions.ts"
import { type Facade } from "./Facade.ts"
import { type HostFunctions, hostFunctions } from "./HostFunctions.ts"
import { type PrincipalFunctions, principalFunctions } from "./IdentityFunctions.ts"
import { type TransactionCalls, type TransactionFunctions } from "./LastroTransaction.ts"
import { type LenderFunctions, lenderFunctions, type PortsOfLender } from "./LenderFunctions.ts"
import { type IncompleteLayer, type OpenOptions, openPorts } from "./openPorts.ts"
import { type OriginationFunctions } from "./OriginationFunctions.ts"
import { type Run } from "./Run.ts"
import { transactionFunctions } from "./transactionFunctions.ts"
import { type PortsOfWork, type WorkFunctions, workFunctions } from "./WorkFunctions.ts"

type OriginationTable = typeof origination

type OtherLists = Exclude<ExportName, keyof OriginationTable>

/** The ports of applications and proposals. They need no passwords, tokens or API clients. */
export type PortsOfOrigination =
  | PortsOf<OriginationTable>
  | PortsOfEvents
  | PortsOfExports<OtherLists>
  | PortsOfLender
  | PortsOfWork
  | PrincipalRepository

/** The use cases of applications and proposals. `More` are further services of the layer, besides the ports. */
export interface Origination<More = never>
  extends
    OriginationFunctions,
    EventFunctions<OriginationTransaction<More>>,
    ExportFunctions<OtherLists>,
    HostFunctions,
    PrincipalFunctions,
    LenderFunctions,
    WorkFunctions,
    TransactionFunctions<OriginationTransaction<More>>,
    Facade<PortsOfOrigination | More>
{}

/** The functions of {@link Origination} as part of one transaction. `LastroTransaction` describes it. */
export interface OriginationTransaction<More = never>
  extends
    OriginationFunctions,
    HostFunctions,
    PrincipalFunctions,
    LenderFunctions,
    WorkFunctions,
    TransactionCalls<OriginationTransaction<More>, PortsOfOrigination | More>
{}

const functionsOf = (run: Run<PortsOfOrigination>) => ({
  ...operationFunctions<PortsOfOrigination, OriginationTable>(run, origination),
  ...hostFunctions(run),
  ...principalFunctions(run),
  ...lenderFunctions(run),
  ...workFunctions(run)
})

/**
 * Like `openLastro`, but only for applications and proposals. The layer needs no passwords, tokens or API clients. If
 * you have a user directory of your own, replace `PrincipalRepository`, which resolves the callers. The lender then
 * gets the id of the user who accepts an offer. It gets the name and CPF only if `UserRepository` has a user with this
 * id.
 */
export function openOrigination<More = never, E = never>(
  layer: Layer.Layer<PortsOfOrigination | More, E>,
  options?: OpenOptions
): Promise<Origination<More>>
/** Refuses a layer that lacks a service. The error of the compiler names the service. */
export function openOrigination<Out, E, In>(
  layer: IncompleteLayer<Out, E, In, PortsOfOrigination>,
  options?: OpenOptions
): Promise<Origination>
export async function openOrigination<More = never, E = never>(
  layer: Layer.Any,
  options: OpenOptions = {}
): Promise<Origination<More>> {
  const ports = await openPorts(layer as Layer.Layer<PortsOfOrigination | More, E>, options)
  const transactions = transactionFunctions<OriginationTransaction<More>, PortsOfOrigination | More>({
    ...ports,
    functions: functionsOf
  })
  return {
    ...functionsOf(ports.run),
    ...exportFunctions<OtherLists>(ports.run),
    ...eventFunctions<OriginationTransaction<More>>({ ...ports, ...transactions }),
    ...transactions,
    ...ports.facade
  }
}
