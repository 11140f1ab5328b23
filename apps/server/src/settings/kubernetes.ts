import { isIP } from "node:net"

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536

const isProtocol = (text: string): boolean => ["tcp", "udp", "sctp"].includes(text)

/** True for an address as Kubernetes writes it, such as `tcp://10.0.0.1:3000` or `tcp://[fd00::1]:3000`. */
const isAddress = (text: string): boolean => {
  const [, protocol = "", six, host = "", port = ""] = /^([a-z]+):\/\/(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? []
  return isProtocol(protocol) && isIP(six ?? host) === (six === undefined ? 4 : 6) && isPort(port)
}

/** The names of the variables that Kubernetes sets for a Service called `lastro`, with a check of their values. */
const variables: ReadonlyArray<readonly [name: RegExp, isValid: (value: string) => boolean]> = [
  [/^LASTRO_SERVICE_HOST$/, (value) => isIP(value) !== 0],
  [/^LASTRO_SERVICE_PORT(?:_[A-Z0-9_]+)?$/, isPort],
  [/^LASTRO_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/, isAddress],
  [/^LASTRO_PORT_\d+_(?:TCP|UDP|SCTP)_PROTO$/, isProtocol],
  [/^LASTRO_PORT_\d+_(?:TCP|UDP|SCTP)_PORT$/, isPort],
  [/^LASTRO_PORT_\d+_(?:TCP|UDP|SCTP)_ADDR$/, (value) => isIP(value) !== 0]
]

/**
 * Returns true for a variable that Kubernetes sets in every container for a Service called `lastro`, such as
 * `LASTRO_PORT=tcp://10.0.0.1:3000`. Such variables are not settings, so they are ignored.
 */
export const isServiceVariable = (name: string, value = ""): boolean =>
  variables.some(([pattern, isValid]) => pattern.test(name) && isValid(value))
