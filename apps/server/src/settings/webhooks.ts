import { parseSecretsKeys, type SecretsKey } from "@lastro/adapters-http/webhook"
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { type Environment, optional, parsedBy, type Reader, refuse, type SettingRefused } from "./readers.ts"

export const webhookNames: ReadonlyArray<string> = ["LASTRO_SECRETS_KEY", "LASTRO_WEBHOOK_ALLOW"]

/** The keys that encrypt webhook secrets, and the non-public addresses that are allowed. */
export interface WebhookSetting {
  /** Empty: the key is derived from a key in the database. */
  readonly secretsKeys: ReadonlyArray<SecretsKey>
  readonly allow: ReadonlyArray<IpNetwork.IpNetwork>
  /** True for every endpoint on this machine, or a list of the allowed ones, such as `localhost:4000`. */
  readonly isLoopbackAllowed: boolean | ReadonlyArray<string>
}

/** Parses the host and port of an endpoint on this machine. Returns them in the form of a URL. */
const parseLoopback = (text: string): string | undefined => {
  const [, host = "", port = ""] = /^(localhost|[\d.]+|\[[\da-f:]+\]):(\d{1,5})$/i.exec(text) ?? []
  const url = Number(port) > 0 ? URL.parse(`http://${host}:${port}`) : null
  if (url === null) return undefined
  const address = NetAddress.ipFromString(url.hostname.replace(/^\[(.*)\]$/, "$1"))
  const isLoopback = Result.isSuccess(address) ? NetAddress.isLoopback(address.success) : url.hostname === "localhost"
  return isLoopback ? `${url.hostname}:${Number(port)}` : undefined
}

const allowed: Reader<{ readonly allow: Array<IpNetwork.IpNetwork>; readonly loopback: Array<string> }> = (
  name,
  value
) => {
  const read = { allow: Array<IpNetwork.IpNetwork>(), loopback: Array<string>() }
  for (const item of value.split(",").map((item) => item.trim())) {
    const loopback = parseLoopback(item)
    const network = IpNetwork.fromString(item)
    if (loopback !== undefined) read.loopback.push(loopback)
    else if (Result.isSuccess(network)) read.allow.push(network.success)
    else {
      return refuse(
        name,
        "must be a comma-separated list of CIDR blocks and of loopback addresses with a port, such as " +
          "10.0.0.0/8,127.0.0.1:4000,localhost:4000"
      )
    }
  }
  return Result.succeed(read)
}

/** Reads the settings of webhooks. With the embedded database, every endpoint on this machine is allowed. */
export const readWebhooks = (
  environment: Environment,
  isServer: boolean
): Result.Result<WebhookSetting, SettingRefused> =>
  Result.gen(function*() {
    const listed = yield* optional(environment, "LASTRO_WEBHOOK_ALLOW", allowed)
    return {
      secretsKeys: (yield* optional(
        environment,
        "LASTRO_SECRETS_KEY",
        parsedBy(parseSecretsKeys, (problem) => problem)
      )) ??
        [],
      allow: listed?.allow ?? [],
      isLoopbackAllowed: isServer ? listed?.loopback ?? [] : true
    }
  })
