import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readSettings } from "../src/settings/Settings.ts"

/** The variables of a Service called `lastro` with the ports `http` and `metrics-tls`. */
const injected = {
  LASTRO_SERVICE_HOST: "10.96.12.7",
  LASTRO_SERVICE_PORT: "80",
  LASTRO_SERVICE_PORT_HTTP: "80",
  LASTRO_SERVICE_PORT_METRICS_TLS: "9090",
  LASTRO_PORT: "tcp://10.96.12.7:80",
  LASTRO_PORT_80_TCP: "tcp://10.96.12.7:80",
  LASTRO_PORT_80_TCP_PROTO: "tcp",
  LASTRO_PORT_80_TCP_PORT: "80",
  LASTRO_PORT_80_TCP_ADDR: "10.96.12.7",
  LASTRO_PORT_9090_TCP: "tcp://10.96.12.7:9090",
  LASTRO_PORT_9090_TCP_PROTO: "tcp",
  LASTRO_PORT_9090_TCP_PORT: "9090",
  LASTRO_PORT_9090_TCP_ADDR: "10.96.12.7"
}

const overIpv6 = {
  LASTRO_SERVICE_HOST: "fd00:10:96::7",
  LASTRO_PORT: "tcp://[fd00:10:96::7]:80",
  LASTRO_PORT_80_UDP: "udp://[fd00:10:96::7]:80",
  LASTRO_PORT_80_UDP_ADDR: "fd00:10:96::7"
}

const refused = [
  { LASTRO_PORT: "3000" },
  { LASTRO_PORT: "" },
  { LASTRO_PORT: "tcp://lastro:3000" },
  { LASTRO_PORT: "http://10.96.12.7:80" },
  { LASTRO_PORT: "tcp://10.96.12.7:0" },
  { LASTRO_PORTS: "tcp://10.96.12.7:80" },
  { LASTRO_PORT_TCP: "tcp://10.96.12.7:80" },
  { LASTRO_PORT_80_TCP_NAME: "http" },
  { LASTRO_SERVICE: "10.96.12.7" },
  { LASTRO_SERVICE_HOST: "lastro.default.svc" },
  { LASTRO_SERVICE_PORT: "http" },
  { LASTRO_SERVICE_PORT_http: "80" }
]

describe("the variables of a Kubernetes Service called lastro", () => {
  it("are ignored", () => {
    const plain = Result.getOrThrow(readSettings({}))
    for (const variables of [injected, overIpv6]) {
      assert.deepStrictEqual(Result.getOrThrow(readSettings(variables)), plain)
    }
  })

  it("are refused like other unknown settings if their name or value differs", () => {
    for (const variables of refused) {
      const result = readSettings(variables)
      assert(Result.isFailure(result), JSON.stringify(variables))
      assert.include(result.failure.message, `${Object.keys(variables)[0]} is not a setting.`)
    }
  })
})
