import { type Layer } from "effect"
import { callerFunctions } from "./CallerFunctions.ts"
import { eventFunctions } from "./EventFunctions.ts"
import { exportFunctions } from "./ExportFunctions.ts"
import { hostFunctions } from "./HostFunctions.ts"
import { type IdentityFunctions, identityFunctions } from "./IdentityFunctions.ts"
import { type Lastro } from "./Lastro.ts"
import { type LastroTransaction } from "./LastroTransaction.ts"
import { lenderFunctions } from "./LenderFunctions.ts"
import { type IncompleteLayer, type OpenOptions, openPorts } from "./openPorts.ts"
import { operatorFunctions } from "./OperatorFunctions.ts"
import { privacyFunctions } from "./PrivacyFunctions.ts"
import { type Run } from "./Run.ts"
import { transactionFunctions } from "./transactionFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"
import { workFunctions } from "./WorkFunctions.ts"

type UseCaseFunctions<More> =
  & Omit<LastroTransaction<More>, "atomically" | "query">
  & Pick<IdentityFunctions, "issueToken">

/** Creates the functions of all use cases. `run` runs each call, for example in a transaction. */
const useCaseFunctions = <More>(run: Run<UseCasePorts | More>): UseCaseFunctions<More> => ({
  ...callerFunctions(run),
  ...hostFunctions(run),
  ...identityFunctions(run),
  ...lenderFunctions(run),
  ...operatorFunctions(run),
  ...privacyFunctions(run),
  ...workFunctions(run),
  run: (effect, options) => run(() => effect, options)
})

/**
 * Creates the functions of all use cases except `issueToken`, because a rollback would undo its revocation of a
 * session.
 */
const joinableFunctions = <More>(run: Run<UseCasePorts | More>): Omit<UseCaseFunctions<More>, "issueToken"> => {
  const { issueToken: _, ...functions } = useCaseFunctions<More>(run)
  return functions
}

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
