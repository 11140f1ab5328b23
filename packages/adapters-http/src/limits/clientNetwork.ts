import { addressKey } from "@lastro/domain"
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

const addressOf = (text: string | undefined): NetAddress.IpAddress | undefined => {
  const parsed = NetAddress.ipFromString(text ?? "")
  return Result.isSuccess(parsed) ? NetAddress.toCanonical(parsed.success) : undefined
}

/**
 * The address a request came from: the peer's or, while the hop that reports it is a trusted proxy, the one that hop
 * saw, read from `X-Forwarded-For` from its right end. An entry that is no address ends the walk, so that nobody can put
 * on a foreign one.
 */
export const clientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: ReadonlyArray<IpNetwork.IpNetwork>
): NetAddress.IpAddress | undefined => {
  const hops = trusted.length === 0 ? [] : (forwardedFor ?? "").split(",").toReversed()
  let address = addressOf(peer)
  for (const hop of hops) {
    const current = address
    if (current === undefined || !trusted.some((network) => IpNetwork.contains(network, current))) break
    const next = addressOf(hop.trim())
    if (next === undefined) break
    address = next
  }
  return address
}

/** Under what name requests from an address are counted; empty where the address is not known. */
export const clientNetwork = (address: NetAddress.IpAddress | undefined): string =>
  address === undefined ? "" : addressKey(NetAddress.formatIp(address))
