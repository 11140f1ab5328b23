import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { addressKey } from "../../src/identity/addressKey.ts"

/** The expected /64 network, by an independent address parser. */
const networkOf = (text: string): string => {
  const address = NetAddress.toCanonical(Result.getOrThrow(NetAddress.ipFromString(text)))
  return NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64))
}

const near = (address: string) => fc.constantFrom(address, address.toUpperCase(), ` ${address} `)

describe("addressKey", () => {
  it("AUTH-14 an IPv4 address is its own key, also in IPv6 notation", () => {
    fc.assert(fc.property(fc.ipV4(), (address) => {
      assert.strictEqual(addressKey(address), address)
      assert.strictEqual(addressKey(`::ffff:${address}`), address)
    }))
    assert.strictEqual(addressKey("::ffff:cb00:7107"), "203.0.113.7")
  })

  it("AUTH-14 IPv6 addresses share a key exactly if they share a /64 network, in any notation", () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
        assert.strictEqual(addressKey(one) === addressKey(other), networkOf(one) === networkOf(other))
      }),
      { numRuns: examples(2_000) }
    )
    const group = fc.constantFrom("0", "1", "ab", "ffff")
    const groups = fc.array(group, { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(groups, groups, (one, other) => {
        const [left, right] = [one.join(":"), [...one.slice(0, 4), ...other.slice(4)].join(":")]
        assert.strictEqual(addressKey(left) === addressKey(right), networkOf(left) === networkOf(right))
      }),
      { numRuns: examples(2_000) }
    )
    fc.assert(fc.property(near("2001:db8::1"), near("2001:0db8:0:0:ffff::"), (one, other) => {
      assert.strictEqual(addressKey(one), addressKey(other))
    }))
  })

  it("AUTH-14 an invalid address has the key `unknown`", () => {
    for (
      const text of ["", "localhost", "1.2.3", "1.2.3.4.5", "a\u0000b", "2001:db8::1%eth0", "2001:db8::/64", "[::1]"]
    ) {
      assert.strictEqual(addressKey(text), "", text)
    }
  })
})
