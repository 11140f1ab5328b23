import { addressKey } from "@lastro/domain/token"
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

const addressOf = (text: string | undefined): NetAddress.IpAddress | undefined => {
  const parsed = NetAddress.ipFromString(text ?? "")
  return Result.isSuccess(parsed) ? NetAddress.toCanonical(parsed.success) : undefined
}

/**
 * Returns the client address of a request: the peer address or, if the peer is a trusted proxy, the address from
 * `X-Forwarded-For`. Reads the header from right to left until the first untrusted address. An invalid entry ends the search, so
 * that a client cannot forge its address.
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

/** Returns the rate-limit key of an address: an IPv4 address, or the /64 network of an IPv6 address. Empty if unknown. */
export const clientNetwork = (address: NetAddress.IpAddress | undefined): string =>
  address === undefined ? "" : addressKey(NetAddress.formatIp(address))
