import { type Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/**
 * Where an address leads: to this machine, into a network that is not routed in public, to the public Internet, or nowhere a
 * lender could be.
 */
export type Reach = "LOOPBACK" | "PRIVATE" | "PUBLIC" | "NOWHERE"

const networks = (...blocks: ReadonlyArray<string>) => blocks.map((block) => IpNetwork.fromStringUnsafe(block))

/** Source: the special-purpose address registries of IANA, and where clouds keep the credentials of their machines. */
const nowhere = networks(
  "0.0.0.0/8",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Metadata of Alibaba Cloud, Azure and AWS.
  "100.100.100.200/32",
  "168.63.129.16/32",
  "fd00:ec2::/32",
  // Teredo, benchmarking, ORCHID, documentation and 6to4, in what is otherwise public.
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20"
)

const local = networks("10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")

const globalUnicast = IpNetwork.fromStringUnsafe("2000::/3")
const translated = IpNetwork.fromStringUnsafe("64:ff9b::/96")

const isIn = (blocks: ReadonlyArray<IpNetwork.IpNetwork>, address: NetAddress.IpAddress): boolean =>
  blocks.some((block) => IpNetwork.contains(block, address))

/** The IPv4 address that an IPv6 address only stands for: mapped (`::ffff:0:0/96`) or translated (NAT64, `64:ff9b::/96`). */
const withoutDisguise = (address: NetAddress.IpAddress): NetAddress.IpAddress =>
  NetAddress.isIpv6Address(address) && IpNetwork.contains(translated, address)
    ? NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(NetAddress.ipv6ToOctets(address).slice(12)))
    : NetAddress.toCanonical(address)

/** Where an address leads. */
export const reachOf = (given: NetAddress.IpAddress): Reach => {
  const address = withoutDisguise(given)
  if (NetAddress.isLoopback(address)) return "LOOPBACK"
  if (isIn(nowhere, address)) return "NOWHERE"
  if (isIn(local, address)) return "PRIVATE"
  return NetAddress.isIpv4Address(address) || IpNetwork.contains(globalUnicast, address) ? "PUBLIC" : "NOWHERE"
}

/** The address that a host of a URL is, where it is no name. */
export const addressOf = (host: string): Option.Option<NetAddress.IpAddress> =>
  Result.getSuccess(NetAddress.ipFromString(host.replace(/^\[(.*)\]$/, "$1")))

/**
 * Whether a lender may be asked at an address. Nobody is asked nowhere. What is told of customers crosses the public Internet
 * encrypted only; inside, where the operator may choose to have a lender, it may go unencrypted.
 */
export const mayAsk = (encrypted: boolean, allowPrivateNetwork: boolean, address: NetAddress.IpAddress): boolean => {
  switch (reachOf(address)) {
    case "PUBLIC":
      return encrypted
    case "PRIVATE":
    case "LOOPBACK":
      return allowPrivateNetwork
    case "NOWHERE":
      return false
  }
}
