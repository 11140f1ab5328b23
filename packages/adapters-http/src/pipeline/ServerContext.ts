import { Duration } from "effect"
import { type IpNetwork } from "effect/net"
import { type ForwardingWarning, forwardingWarning, noForwardingWarning } from "../limits/warnOfForwarding.ts"
import { basePathOf } from "../options/parseIssuer.ts"
import { defaultRequestTimeout } from "./Deadline.ts"
import { DeadlineWatch } from "./DeadlineWatch.ts"

/** The settings of a server that all of its requests share. */
export interface ServerContext {
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
  /** The path prefix of the API in client URLs. */
  readonly basePath: string
  /** Maximum time of a request in milliseconds. */
  readonly timeLimit: number
  /** The warning that the `X-Forwarded-For` header of an untrusted peer is ignored. */
  readonly forwarding: ForwardingWarning
  /** Watches the time limits of the requests. */
  readonly deadlines: DeadlineWatch
}

const toMillis = (timeout: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(timeout))

/** Derives the context from the issuer URL. */
export const serverContextOf = (
  { issuer, requestTimeout = defaultRequestTimeout, trustedProxies = [] }: {
    readonly issuer: string
    readonly requestTimeout?: Duration.Input
    readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  }
): ServerContext => ({
  basePath: basePathOf(issuer),
  timeLimit: toMillis(requestTimeout),
  trustedProxies,
  forwarding: forwardingWarning(),
  deadlines: new DeadlineWatch()
})

/** The context of a server that serves only documents. */
export const documentContext = (): ServerContext => ({
  basePath: "",
  timeLimit: toMillis(defaultRequestTimeout),
  trustedProxies: [],
  forwarding: noForwardingWarning,
  deadlines: new DeadlineWatch()
})
