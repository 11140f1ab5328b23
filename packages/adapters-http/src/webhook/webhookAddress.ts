import { type WebhookSender } from "@lastro/domain/webhook"
import { Option } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { addressKindOf, parseAddress } from "../lender/lenderAddress.ts"

/** Addresses that are allowed although they are not public. */
export interface WebhookAllowance {
  /** Networks in which endpoints may be. Default: none. */
  readonly allow?: ReadonlyArray<IpNetwork.IpNetwork> | undefined
  /** Allows endpoints on this machine, also by `http`: all, or those with a `host:port` in a list. Default: false. */
  readonly isLoopbackAllowed?: boolean | ReadonlyArray<string> | undefined
}

const globalUnicast = IpNetwork.fromStringUnsafe("2000::/3")

/**
 * Returns whether an address is public. False for an IPv6 address that contains an IPv4 address (mapped, compatible,
 * NAT64), because no receiver needs one.
 */
const isPublic = (address: NetAddress.IpAddress): boolean =>
  addressKindOf(address) === "PUBLIC" &&
  (NetAddress.isIpv4Address(address) || IpNetwork.contains(globalUnicast, address))

const isEncrypted = ({ protocol }: URL): boolean => protocol === "https:"

const portOf = (url: URL): number => {
  if (url.port !== "") return Number(url.port)
  return isEncrypted(url) ? 443 : 80
}

/** Returns whether the host of a URL is a name of this machine (RFC 6761 §6.3). */
export const isLocalName = ({ hostname }: Pick<URL, "hostname">): boolean => /(?:^|\.)localhost\.?$/.test(hostname)

/** The lowest port without a well-known service (RFC 6335 §6). */
const firstFreePort = 1_024

/** Returns whether endpoints may have the port of a URL: 443, or a port without a well-known service. */
const isPortAllowed = (url: URL): boolean => portOf(url) === 443 || portOf(url) >= firstFreePort

const isLoopbackAllowedFor = (url: URL, { isLoopbackAllowed = false }: WebhookAllowance): boolean =>
  typeof isLoopbackAllowed === "boolean"
    ? isLoopbackAllowed
    : isLoopbackAllowed.includes(`${url.hostname}:${portOf(url)}`)

/**
 * Returns whether a delivery to a URL may connect to an address. The address must be public or allowed. The connection
 * must be encrypted unless it stays on this machine.
 */
export const mayConnect = (url: URL, allowance: WebhookAllowance, raw: NetAddress.IpAddress): boolean => {
  const address = NetAddress.toCanonical(raw)
  const isAllowed = (allowance.allow ?? []).some((network) => IpNetwork.contains(network, address))
  if (NetAddress.isLoopback(address)) return isAllowed || isLoopbackAllowedFor(url, allowance)
  return isEncrypted(url) && isPortAllowed(url) && (isAllowed || isPublic(raw))
}

const withHttps = (url: URL): URL => Object.assign(new URL(url), { protocol: "https:" })

/** Parses the URL of an endpoint. None if it is not a URL, or contains a user or password. */
export const parseEndpoint = (text: string): Option.Option<URL> =>
  Option.filter(Option.fromNullOr(URL.parse(text)), ({ password, username }) => username === "" && password === "")

/** Returns whether a URL can be registered. The addresses of a host name are checked only at each connection. */
const isEndpointAllowed = (url: URL, allowance: WebhookAllowance): boolean => {
  const address = isLocalName(url) ? Option.some(NetAddress.ipv4Loopback) : parseAddress(url.hostname)
  return Option.isSome(address)
    ? mayConnect(url, allowance, address.value)
    : isEncrypted(url) && isPortAllowed(url)
}

/** Returns why the URL of an endpoint is rejected, or undefined. Does not resolve its host name. */
export const refusalOfEndpoint = (
  text: string,
  allowance: WebhookAllowance
): ReturnType<WebhookSender["Service"]["refusalOf"]> => {
  const parsed = parseEndpoint(text)
  if (Option.isNone(parsed)) return "INVALID_URL"
  const url = parsed.value
  if (url.protocol !== "https:" && url.protocol !== "http:") return "HTTPS_REQUIRED"
  if (isEndpointAllowed(url, allowance)) return undefined
  if (!isEncrypted(url) && isEndpointAllowed(withHttps(url), allowance)) return "HTTPS_REQUIRED"
  return "ADDRESS_FORBIDDEN"
}
