import { Data, Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/**
 * The kind of an address: this machine, a private network, the public Internet, or a range that is forbidden for
 * lenders.
 */
export type AddressKind = "LOOPBACK" | "PRIVATE" | "PUBLIC" | "FORBIDDEN"

const networks = (...blocks: ReadonlyArray<string>) => blocks.map((block) => IpNetwork.fromStringUnsafe(block))

/**
 * The networks that are forbidden for lenders: the special-purpose address registries of IANA, and the metadata
 * endpoints of cloud providers.
 */
const forbiddenNetworks = networks(
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
  // Metadata endpoints of Alibaba Cloud, Azure and AWS.
  "100.100.100.200/32",
  "168.63.129.16/32",
  "fd00:ec2::/32",
  // Special networks within the global unicast range: Teredo, benchmarking, ORCHID, documentation and 6to4.
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20"
)

const privateNetworks = networks("10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")

const globalUnicast = IpNetwork.fromStringUnsafe("2000::/3")
const nat64 = IpNetwork.fromStringUnsafe("64:ff9b::/96")

const isIn = (blocks: ReadonlyArray<IpNetwork.IpNetwork>, address: NetAddress.IpAddress): boolean =>
  blocks.some((block) => IpNetwork.contains(block, address))

/** Converts an IPv4-mapped (`::ffff:0:0/96`) or NAT64 (`64:ff9b::/96`) IPv6 address to its IPv4 address. */
const unwrapIpv4 = (address: NetAddress.IpAddress): NetAddress.IpAddress =>
  NetAddress.isIpv6Address(address) && IpNetwork.contains(nat64, address)
    ? NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(NetAddress.ipv6ToOctets(address).slice(12)))
    : NetAddress.toCanonical(address)

export const addressKindOf = (rawAddress: NetAddress.IpAddress): AddressKind => {
  const address = unwrapIpv4(rawAddress)
  if (NetAddress.isLoopback(address)) return "LOOPBACK"
  if (isIn(forbiddenNetworks, address)) return "FORBIDDEN"
  if (isIn(privateNetworks, address)) return "PRIVATE"
  return NetAddress.isIpv4Address(address) || IpNetwork.contains(globalUnicast, address) ? "PUBLIC" : "FORBIDDEN"
}

/** Parses the host of a URL as an IP address. Returns none if the host is a name. */
export const parseAddress = (host: string): Option.Option<NetAddress.IpAddress> =>
  Result.getSuccess(NetAddress.ipFromString(host.replace(/^\[(.*)\]$/, "$1")))

/**
 * Returns whether a lender may be called at an address. A public address requires encryption, because calls contain
 * personal data. A private address and this machine require `allowPrivateNetwork`, but no encryption.
 */
export const isAddressAllowed = (
  encrypted: boolean,
  allowPrivateNetwork: boolean,
  address: NetAddress.IpAddress
): boolean => {
  switch (addressKindOf(address)) {
    case "PUBLIC":
      return encrypted
    case "PRIVATE":
    case "LOOPBACK":
      return allowPrivateNetwork
    case "FORBIDDEN":
      return false
  }
}

/** The URL of a lender is not allowed. The error does not contain the URL, because it may contain a secret. */
export class LenderUrlRefused extends Data.TaggedError("LenderUrlRefused")<{
  readonly reason:
    | "NOT_A_URL"
    /** The scheme is neither `https:` nor `http:`. */
    | "SCHEME"
    /** The URL contains a user or a password, which would appear in traces. Use a token instead. */
    | "CREDENTIALS"
    /** The URL contains a query or a fragment, so the paths of the protocol cannot be appended. */
    | "QUERY"
    /** The IP address is not allowed, or requires encryption. */
    | "ADDRESS"
}> {}

/**
 * Parses the URL of a lender. Checks the host if it is an IP address. A host name is resolved at each connection, and
 * its addresses are checked then.
 */
export const parseLenderUrl = (text: string, allowPrivateNetwork: boolean): Result.Result<URL, LenderUrlRefused> => {
  const refuse = (reason: LenderUrlRefused["reason"]) => Result.fail(new LenderUrlRefused({ reason }))
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) return refuse("NOT_A_URL")
  const { hash, hostname, password, protocol, search, username } = url
  if (protocol !== "https:" && protocol !== "http:") return refuse("SCHEME")
  if (username !== "" || password !== "") return refuse("CREDENTIALS")
  if (search !== "" || hash !== "") return refuse("QUERY")
  const encrypted = protocol === "https:"
  if (!encrypted && !allowPrivateNetwork) return refuse("ADDRESS")
  return Option.exists(parseAddress(hostname), (address) => !isAddressAllowed(encrypted, allowPrivateNetwork, address))
    ? refuse("ADDRESS")
    : Result.succeed(url)
}
