import { Result } from "effect"
import { parseIpAddress } from "../values/IpAddress.ts"

const v4Groups = (dotted: string): ReadonlyArray<number> => {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split(".").map(Number)
  return [a * 256 + b, c * 256 + d]
}

/** Parses the 16-bit groups in one side of an IPv6 address. */
const groupsIn = (part: string): ReadonlyArray<number> =>
  part === ""
    ? []
    : part.split(":").flatMap((group) => group.includes(".") ? v4Groups(group) : [Number.parseInt(group, 16)])

/** Parses the eight groups of an IPv6 address. */
const groupsOf = (address: string): ReadonlyArray<number> => {
  const [head = "", tail = ""] = address.split("::")
  const before = groupsIn(head)
  const after = groupsIn(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

const formatV4 = (groups: ReadonlyArray<number>): string =>
  groups.flatMap((group) => [Math.floor(group / 256), group % 256]).join(".")

const forwarded = "forwarded by "

/**
 * Returns the address for all clients behind a peer that forwards requests but is not a trusted proxy. Their own
 * addresses are unknown. `network` is the {@link addressKey} of the peer.
 */
export const addressBehind = (network: string): string => `${forwarded}${network}`

/** Returns whether an address is the result of {@link addressBehind}. */
export const isBehindPeer = (address: string): boolean => address.startsWith(forwarded)

/**
 * Rate limits count callers by IPv4 address, or by /64 network for IPv6. An IPv4-mapped IPv6 address counts as IPv4.
 * All malformed addresses count together, under the empty text.
 * @rule AUTH-14
 */
export const addressKey = (text: unknown): string => {
  if (typeof text !== "string") return ""
  const parsed = parseIpAddress(text)
  if (Result.isFailure(parsed)) return ""
  if (!parsed.success.includes(":")) return parsed.success
  const groups = groupsOf(parsed.success)
  const isMapped = groups[5] === 0xff_ff && groups.slice(0, 5).every((group) => group === 0)
  return isMapped
    ? formatV4(groups.slice(6))
    : `${groups.slice(0, 4).map((group) => group.toString(16)).join(":")}::/64`
}
