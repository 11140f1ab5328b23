import { LruCache } from "@lastro/domain/values"
import { Option } from "effect"
import { type Slot } from "../admission/Slot.ts"
import { clientAddress, clientNetwork } from "../limits/clientNetwork.ts"
import { type Deadline } from "./Deadline.ts"
import { type Exchange } from "./Exchange.ts"
import { type Incoming } from "./Incoming.ts"
import { type ServerContext } from "./ServerContext.ts"

/** Returns the path of a URL, without its query. */
export const pathOf = (url: string): string => {
  const end = url.indexOf("?")
  return end < 0 ? url : url.slice(0, end)
}

/** A cache of the networks of recent peer addresses, because parsing an address takes longer than a lookup. */
const networks = new LruCache<string, string>(1_024)

/** Returns the network of a peer that is not a proxy. */
const networkOfPeer = (peer: string): string => {
  const known = networks.get(peer)
  if (known !== undefined) return known
  const network = clientNetwork(clientAddress(peer, undefined, []))
  networks.set(peer, network)
  return network
}

/** Returns the rate-limit key of the client of a request, as computed by `clientNetwork`. */
const clientOf = ({ headers, remoteAddress }: Incoming, { trustedProxies }: ServerContext): string => {
  const peer = Option.getOrUndefined(remoteAddress)
  const forwardedFor = headers["x-forwarded-for"]
  return peer !== undefined && (forwardedFor === undefined || trustedProxies.length === 0)
    ? networkOfPeer(peer)
    : clientNetwork(clientAddress(peer, forwardedFor, trustedProxies))
}

/** Makes the {@link Exchange} of a request: the request with its context and the headers of its response. */
export const makeExchange = (
  request: Incoming,
  request_id: string,
  deadline: Deadline,
  slot: Slot | undefined,
  around: ServerContext
): Exchange => ({
  request,
  request_id,
  path: pathOf(request.url),
  basePath: around.basePath,
  client: clientOf(request, around),
  headers: {},
  slot,
  deadline
})
