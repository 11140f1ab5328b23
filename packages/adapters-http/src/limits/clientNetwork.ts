import { addressKey } from "@lastro/domain/identity"
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

const addressOf = (text: string | undefined): NetAddress.IpAddress | undefined => {
  const parsed = NetAddress.ipFromString(text ?? "")
  return Result.isSuccess(parsed) ? NetAddress.toCanonical(parsed.success) : undefined
}

/** An IPv4 address with a port, or an IPv6 address in brackets with an optional port. Some proxies send these forms. */
const withPort = /^(?:(?<v4>[\d.]+):\d{1,5}|\[(?<v6>[^\]]+)\](?::\d{1,5})?)$/

/** Parses an entry of `X-Forwarded-For`. Ignores a port. */
const forwardedAddress = (entry: string): NetAddress.IpAddress | undefined => {
  const trimmed = entry.trim()
  const { v4, v6 } = withPort.exec(trimmed)?.groups ?? {}
  return addressOf(v4 ?? v6 ?? trimmed)
}

const isTrusted = (address: NetAddress.IpAddress, trusted: ReadonlyArray<IpNetwork.IpNetwork>): boolean =>
  trusted.some((network) => IpNetwork.contains(network, address))

/** Returns whether `X-Forwarded-For` is ignored because the peer is not a trusted proxy. */
export const ignoresForwarding = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: ReadonlyArray<IpNetwork.IpNetwork>
): boolean => {
  if (forwardedFor === undefined) return false
  const address = addressOf(peer)
  return address !== undefined && !isTrusted(address, trusted)
}

/**
 * Returns the client address of a request: the address of the peer, or, behind a trusted proxy, that of
 * `X-Forwarded-For`. Reads the header from right to left until the first untrusted address. An invalid entry ends the
 * search, so a client cannot forge its address.
 */
export const clientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: ReadonlyArray<IpNetwork.IpNetwork>
): NetAddress.IpAddress | undefined => {
  const hops = trusted.length === 0 ? [] : (forwardedFor ?? "").split(",").toReversed()
  let address = addressOf(peer)
  for (const hop of hops) {
    if (address === undefined || !isTrusted(address, trusted)) break
    const next = forwardedAddress(hop)
    if (next === undefined) break
    address = next
  }
  return address
}

/**
 * Returns the rate-limit key of an address: the IPv4 address, or the /64 network of an IPv6 address. Returns an empty
 * text if the address is unknown.
 */
export const clientNetwork = (address: NetAddress.IpAddress | undefined): string =>
  address === undefined ? "" : addressKey(NetAddress.formatIp(address))
