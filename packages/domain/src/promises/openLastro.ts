import { type Layer } from "effect"
import { eventFunctions } from "./EventFunctions.ts"
import { exportFunctions } from "./ExportFunctions.ts"
import { type Lastro } from "./Lastro.ts"
import { type LastroTransaction } from "./LastroTransaction.ts"
import { type IncompleteLayer, type OpenOptions, openPorts } from "./openPorts.ts"
import { transactionFunctions } from "./transactionFunctions.ts"
import { joinableFunctions, useCaseFunctions } from "./UseCaseFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/**
 * Opens the ports of a layer, and returns every use case as a function that returns a promise. If the layer cannot be
 * built, for example because a database is unreachable, the promise rejects with the cause and no port stays open. It
 * also rejects with `PortReplacedAboveJobs` if a port was replaced above the layer of the durable jobs, and with
 * `DomainCopiesMixed` if an adapter uses another copy of this package.
 */
export function openLastro<More = never, E = never>(
  layer: Layer.Layer<UseCasePorts | More, E>,
  options?: OpenOptions
): Promise<Lastro<More>>
/** Refuses a layer that lacks a service. The error of the compiler names the service. */
export function openLastro<Out, E, In>(
  layer: IncompleteLayer<Out, E, In, UseCasePorts>,
  options?: OpenOptions
): Promise<Lastro>
export async function openLastro<More = never, E = never>(
  layer: Layer.Any,
  options: OpenOptions = {}
): Promise<Lastro<More>> {
  const ports = await openPorts(layer as Layer.Layer<UseCasePorts | More, E>, options)
  const transactions = transactionFunctions<LastroTransaction<More>, UseCasePorts | More>({
    ...ports,
    functions: joinableFunctions<More>
  })
  return {
    ...useCaseFunctions<More>(ports.run),
    ...exportFunctions<never>(ports.run),
    ...eventFunctions<LastroTransaction<More>>({ ...ports, ...transactions }),
    ...transactions,
    ...ports.facade
  }
}
