import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { isIP } from "node:net"
import { parseIpAddress } from "../../src/values/IpAddress.ts"

const read = (text: string): string =>
  Result.match(parseIpAddress(text), {
    onFailure: ({ code }) => code,
    onSuccess: (address) => address
  })

describe("IpAddress", () => {
  it("DOC-26 parses every IPv4 and IPv6 address to lower case", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        assert.strictEqual(read(` ${address.toUpperCase()} `), address.toLowerCase())
      }),
      { numRuns: 2_000 }
    )
    for (const address of ["203.0.113.7", "0.0.0.0", "255.255.255.255", "::", "::1", "1::", "::ffff:192.0.2.1"]) {
      assert.strictEqual(read(address), address)
    }
  })

  it("DOC-26 accepts exactly what Node accepts, except zones", () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."0123456789abcdefg:. %") }),
      fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.constantFrom(..."0:.%g1a"), fc.nat({ max: 40 })).map(
        ([address, character, place]) => address.slice(0, place) + character + address.slice(place)
      ),
      fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat({ max: 40 })).map(
        ([address, place]) => address.slice(0, place) + address.slice(place + 1)
      ),
      fc.ipV4Extended()
    )
    fc.assert(
      fc.property(texts, (text) => {
        const expected = isIP(text.trim()) !== 0 && !text.includes("%")
        assert.strictEqual(read(text), expected ? text.trim().toLowerCase() : "INVALID_FORMAT", text)
      }),
      { numRuns: 5_000 }
    )
    for (
      const text of [
        "",
        "localhost",
        "1.2.3",
        "1.2.3.4.5",
        "256.1.1.1",
        "01.2.3.4",
        "1:2:3:4:5:6:7:8:9",
        "1::2::3",
        ":::",
        "fe80::1%eth0",
        "::1.2.3.4:5",
        "1.2.3.4::"
      ]
    ) assert.strictEqual(read(text), "INVALID_FORMAT", text)
  })
})
