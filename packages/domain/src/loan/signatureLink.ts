/** Maximum length of a signature link, in characters. */
const maxLength = 2_048

const label = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
const pathCharacter = "(?:[\\w.~!$&()*+,;=:@-]|%[\\da-f]{2})"

/**
 * Matches the parts of a link: scheme, host, port, path, query and fragment (RFC 3986). A link with user information
 * does not match.
 */
const shape = new RegExp(
  `^(https|http(?=://localhost(?:[:/?#]|$)))://((?:${label}\\.)*(?!\\d+(?:[:/?#]|$)|0x)${label})(?::(\\d{1,5}))?((?:/${pathCharacter}*)*)` +
    `(\\?(?:${pathCharacter}|[/?])*)?(#(?:${pathCharacter}|[/?])*)?$`,
  "i"
)

/**
 * Matches a segment `.` or `..` of a path, also with percent-encoded dots. A browser would resolve it to another path.
 */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * The customer gets a signature link of the lender only if it is an `https` URL in ASCII with a host name. Any other
 * link could lead to a different site than it shows. Links are withheld if they have:
 *
 * - user information, a dot segment, or more than 2 048 characters;
 * - an IP address as host, in any notation;
 * - a host with `_` or with a dot at its end;
 * - a `'` or any other character in the path that RFC 3986 does not allow, or that browsers encode.
 *
 * One exception: a link to `http://localhost` is allowed, because only programs on the browser's own machine can answer
 * it. The sandbox lender of a local server returns such links.
 *
 * The link is normalised: scheme and host in lower case, without the default port, with a path.
 *
 * Source: RFC 3986, sections 3.2.1, 6.2.2 and 7.5.
 * @rule FGTS-70
 */
export const signatureLink = (text: string | null): string | null => {
  if (text === null || text.length > maxLength) return null
  const [, scheme = "", host, port, path = "", query = "", fragment = ""] = shape.exec(text) ?? []
  if (host === undefined || Number(port ?? 0) > 65_535 || dotSegment.test(path)) return null
  const isSecure = scheme.toLowerCase() === "https"
  const authority = port === undefined || Number(port) === (isSecure ? 443 : 80) ? host : `${host}:${Number(port)}`
  return `${isSecure ? "https" : "http"}://${authority.toLowerCase()}${path === "" ? "/" : path}${query}${fragment}`
}
