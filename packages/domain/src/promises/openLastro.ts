import { type Layer } from "effect"
import { callerFunctions } from "./CallerFunctions.ts"
import { hostFunctions } from "./HostFunctions.ts"
import { identityFunctions } from "./IdentityFunctions.ts"
import { type Lastro } from "./Lastro.ts"
import { lenderFunctions } from "./LenderFunctions.ts"
import { type OpenOptions, openPorts } from "./openPorts.ts"
import { operatorFunctions } from "./OperatorFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/**
 * Opens the ports of a layer and returns every use case as a function that returns a promise. If the layer cannot be built, for example
 * because a database is unreachable, the promise rejects with the cause and no port stays open. It
 * also rejects if a port was replaced above the layer that runs the durable jobs (`PortReplacedAboveJobs`).
 */
export const openLastro = async <More = never, E = never>(
  layer: Layer.Layer<UseCasePorts | More, E>,
  options: OpenOptions = {}
): Promise<Lastro<More>> => {
  const { call, facade } = await openPorts(layer, options)
  return {
    ...callerFunctions(call),
    ...hostFunctions(call),
    ...identityFunctions(call),
    ...lenderFunctions(call),
    ...operatorFunctions(call),
    ...facade
  }
}
