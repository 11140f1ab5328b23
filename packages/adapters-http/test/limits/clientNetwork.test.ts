import { assert, describe, it } from "@effect/vitest"
import { IpNetwork } from "effect/net"
import { clientAddress, clientNetwork } from "../../src/limits/clientNetwork.ts"

const trusted = ["10.0.0.0/8", "127.0.0.1/32", "fd00::/8"].map(IpNetwork.fromStringUnsafe)

const cases: ReadonlyArray<readonly [peer: string | undefined, forwarded: string | undefined, network: string]> = [
  ["203.0.113.7", undefined, "203.0.113.7"],
  ["::ffff:203.0.113.7", undefined, "203.0.113.7"],
  ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
  ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"],
  ["10.0.0.1", "198.51.100.1, 10.9.9.9", "198.51.100.1"],
  ["10.0.0.1", "10.1.1.1, 10.2.2.2", "10.1.1.1"],
  ["10.0.0.1", "198.51.100.1, nonsense, 10.9.9.9", "10.9.9.9"],
  ["10.0.0.1", "nonsense", "10.0.0.1"],
  ["10.0.0.1", "", "10.0.0.1"],
  ["10.0.0.1", undefined, "10.0.0.1"],
  ["fd00::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff::1", undefined, "2001:db8:1:2::/64"],
  ["10.0.0.1", "198.51.100.1:567", "198.51.100.1"],
  ["10.0.0.1", "198.51.100.1, 10.9.9.9:80", "198.51.100.1"],
  ["10.0.0.1", "[2001:db8:1:2::5]:567", "2001:db8:1:2::/64"],
  ["10.0.0.1", "[2001:db8:1:2::5]", "2001:db8:1:2::/64"],
  ["10.0.0.1", "[::ffff:198.51.100.1]:65535", "198.51.100.1"],
  ["10.0.0.1", "198.51.100.1:", "10.0.0.1"],
  ["10.0.0.1", "198.51.100.1:x", "10.0.0.1"],
  ["10.0.0.1", "198.51.100.1:123456", "10.0.0.1"],
  ["10.0.0.1", "[198.51.100.1:567", "10.0.0.1"],
  ["10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
  [undefined, "198.51.100.1", ""],
  ["", undefined, ""]
]

describe("clientNetwork", () => {
  for (const [peer, forwarded, network] of cases) {
    it(`counts ${String(peer)} forwarded for ${String(forwarded)} as ${network}`, () => {
      assert.strictEqual(clientNetwork(clientAddress(peer, forwarded, trusted)), network)
    })
  }

  it("ignores X-Forwarded-For without trusted proxies", () => {
    assert.strictEqual(clientNetwork(clientAddress("127.0.0.1", "198.51.100.1", [])), "127.0.0.1")
  })
})
