import { Result } from "effect"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"

const byte = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const v4 = new RegExp(String.raw`^${byte}(?:\.${byte}){3}$`)

const isGroup = (text: string): boolean => /^[0-9a-f]{1,4}$/i.test(text)

/**
 * Returns the number of 16-bit groups in one side of an IPv6 address. An IPv4 address at its end counts as two groups.
 * Undefined if the text is malformed.
 */
const groupsIn = (part: string): number | undefined => {
  if (part === "") return 0
  const groups = part.split(":")
  const last = groups.pop() ?? ""
  if (!groups.every(isGroup)) return undefined
  if (isGroup(last)) return groups.length + 1
  return v4.test(last) ? groups.length + 2 : undefined
}

const isV6 = (text: string): boolean => {
  const [head = "", tail, ...more] = text.split("::")
  const before = groupsIn(head)
  if (tail === undefined) return before === 8
  const after = groupsIn(tail)
  const hasIpv4Inside = head.includes(".")
  if (before === undefined || after === undefined || hasIpv4Inside) return false
  return more.length === 0 && before + after <= 7
}

/**
 * An IP address is an IPv4 address in dotted decimal notation, or an IPv6 address in the notation of RFC 4291 §2.2
 * without a zone id. It is stored in lower case.
 * @rule DOC-26
 */
export const parseIpAddress: TextParser<string> = (input) => {
  const text = input.trim().toLowerCase()
  return text.length <= 45 && (v4.test(text) || isV6(text))
    ? Result.succeed(text)
    : Result.fail(invalidFormat("IPv4 or IPv6 address"))
}

/** The schema of an IP address. */
export const IpAddress = /* @__PURE__ */ (() =>
  schemaOfParser<string>(parseIpAddress, {
    description: "IPv4 or IPv6 address",
    examples: ["203.0.113.7"]
  }))()

/** Masks an IP address except its first two groups: `200.1.*.*`, or `2001:db8:*` for IPv6. */
export const maskIp = (ip: string): string =>
  v4.test(ip)
    ? ip.split(".").map((part, index) => index < 2 ? part : "*").join(".")
    : `${ip.split(":").slice(0, 2).join(":")}:*`
