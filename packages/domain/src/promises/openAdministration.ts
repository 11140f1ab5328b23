import { type Layer } from "effect"
import { type PrincipalRepository } from "../identity/Principal.ts"
import { administration } from "../operation/administration.ts"
import { type PartnerTree } from "../ports/PartnerTree.ts"
import { type OperationFunctions, operationFunctions, type PortsOf } from "./CallerFunctions.ts"
import { type Facade } from "./Facade.ts"
import { type HostFunctions, hostFunctions } from "./HostFunctions.ts"
import { type PrincipalFunctions, principalFunctions } from "./IdentityFunctions.ts"
import { type OpenOptions, openPorts } from "./openPorts.ts"
import { type OperatorFunctions, operatorFunctions, type PortsOfOperator } from "./OperatorFunctions.ts"

type AdministrationTable = typeof administration

/** The ports that partners, users and groups need. A lender, durable jobs and applications are not among them. */
export type PortsOfAdministration = PortsOf<AdministrationTable> | PortsOfOperator | PartnerTree | PrincipalRepository

/**
 * The use cases of partners, users and groups, and the operator's functions. `More` are services that the layer
 * provides besides the ports.
 */
export interface Administration<More = never>
  extends
    OperationFunctions<AdministrationTable>,
    HostFunctions,
    PrincipalFunctions,
    OperatorFunctions,
    Facade<PortsOfAdministration | More>
{}

/**
 * Like `openLastro`, but only for partners, users and groups: the layer needs no lender, no durable jobs and no
 * application ports. For tokens, open `openSignIn` with the same layer.
 */
export const openAdministration = async <More = never, E = never>(
  layer: Layer.Layer<PortsOfAdministration | More, E>,
  options: OpenOptions = {}
): Promise<Administration<More>> => {
  const { call, facade } = await openPorts(layer, options)
  return {
    ...operationFunctions<PortsOfAdministration, AdministrationTable>(call, administration),
    ...hostFunctions(call),
    ...principalFunctions(call),
    ...operatorFunctions(call),
    ...facade
  }
}
