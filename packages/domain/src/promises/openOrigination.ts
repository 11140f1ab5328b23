import { type Layer } from "effect"
import { type PartnerTree } from "../hierarchy/PartnerTree.ts"
import { type PrincipalRepository } from "../identity/Principal.ts"
import { origination } from "../operation/origination.ts"
import { operationFunctions, type OperationFunctions, type PortsOf } from "./CallerFunctions.ts"
import { type Facade } from "./Facade.ts"
import { hostFunctions, type HostFunctions } from "./HostFunctions.ts"
import { principalFunctions, type PrincipalFunctions } from "./IdentityFunctions.ts"
import { lenderFunctions, type LenderFunctions, type PortsOfLender } from "./LenderFunctions.ts"
import { type OpenOptions, openPorts } from "./openPorts.ts"

type OriginationTable = typeof origination

/** The ports that applications and proposals need. Stored users, passwords and tokens are not among them. */
export type PortsOfOrigination = PortsOf<OriginationTable> | PortsOfLender | PartnerTree | PrincipalRepository

/** The use cases of applications and proposals. `More` are services that the layer provides besides the ports. */
export interface Origination<More = never>
  extends
    OperationFunctions<OriginationTable>,
    HostFunctions,
    PrincipalFunctions,
    LenderFunctions,
    Facade<PortsOfOrigination | More>
{}

/**
 * Like `openLastro`, but only for applications and proposals: the layer needs no users, passwords or tokens. `PrincipalRepository` is the
 * only port that reads users. Replace it to resolve the callers from your own user directory.
 */
export const openOrigination = async <More = never, E = never>(
  layer: Layer.Layer<PortsOfOrigination | More, E>,
  options: OpenOptions = {}
): Promise<Origination<More>> => {
  const { call, facade } = await openPorts(layer, options)
  return {
    ...operationFunctions<PortsOfOrigination, OriginationTable>(call, origination),
    ...hostFunctions(call),
    ...principalFunctions(call),
    ...lenderFunctions(call),
    ...facade
  }
}
