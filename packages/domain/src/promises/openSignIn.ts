import { type Layer } from "effect"
import { type Facade } from "./Facade.ts"
import { type IdentityFunctions, identityFunctions, type PortsOfSignIn } from "./IdentityFunctions.ts"
import { type IncompleteLayer, type OpenOptions, openPorts } from "./openPorts.ts"

/**
 * The functions that authenticate callers. There is no `atomically` and no `within`, because a rollback would undo the
 * revocation of a session. `More` are further services of the layer, besides the ports.
 */
export interface SignIn<More = never> extends IdentityFunctions, Facade<PortsOfSignIn | More> {}

/**
 * Like `openLastro`, but only to issue, check and revoke tokens. To share the ports of another facade, pass its
 * `layer`.
 */
export function openSignIn<More = never, E = never>(
  layer: Layer.Layer<PortsOfSignIn | More, E>,
  options?: OpenOptions
): Promise<SignIn<More>>
/** Refuses a layer that lacks a service. The error of the compiler names the service. */
export function openSignIn<Out, E, In>(
  layer: IncompleteLayer<Out, E, In, PortsOfSignIn>,
  options?: OpenOptions
): Promise<SignIn>
export async function openSignIn<More = never, E = never>(
  layer: Layer.Any,
  options: OpenOptions = {}
): Promise<SignIn<More>> {
  const { facade, run } = await openPorts(layer as Layer.Layer<PortsOfSignIn | More, E>, options)
  return { ...identityFunctions(run), ...facade }
}
