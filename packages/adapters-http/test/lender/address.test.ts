import { assert, describe, it } from "@effect/vitest"
import { layerHttpLender, type Resolve } from "@lastro/adapters-http"
import { Lender } from "@lastro/domain/lender"
import { Effect, Option, Result } from "effect"
import {
  type AddressKind,
  addressKindOf,
  isAddressAllowed,
  parseAddress,
  parseLenderUrl
} from "../../src/lender/lenderAddress.ts"
import { overHttp, quoting } from "./asking.ts"

const addresses: Readonly<Record<AddressKind, ReadonlyArray<string>>> = {
  LOOPBACK: ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "64:ff9b::127.0.0.1"],
  PRIVATE: [
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "100.127.255.255",
    "fc00::1",
    "fd12:3456:789a::1",
    "::ffff:10.0.0.1",
    "::ffff:c0a8:101",
    "64:ff9b::a00:1"
  ],
  PUBLIC: [
    "1.1.1.1",
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.255.255",
    "192.169.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "2606:4700:4700::1111",
    "2804:14c::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8"
  ],
  FORBIDDEN: [
    "0.0.0.0",
    "0.1.2.3",
    "169.254.169.254",
    "169.254.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::2",
    "::8.8.8.8",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "fd00:ec2::254",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "64:ff9b:1::a00:1",
    "100::1",
    "3fff::1",
    "4000::1",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:0.0.0.0",
    "64:ff9b::169.254.169.254"
  ]
}

const address = (text: string) => Option.getOrThrow(parseAddress(text))

const parsedOrReason = (url: string, allowPrivateNetwork = true): string =>
  Result.match(parseLenderUrl(url, allowPrivateNetwork), {
    onSuccess: ({ href }) => href,
    onFailure: ({ reason }) => reason
  })

/** A resolver that returns the next address list at each lookup, and repeats the last one. */
const resolverOf = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const left = [...answers]
  const lookups: Array<string> = []
  const resolve: Resolve = (name, _, answer) => {
    lookups.push(name)
    const found = (left.length > 1 ? left.shift() : left[0]) ?? []
    answer(null, found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
  }
  return { lookups, resolve }
}

const refusal = "quote: connection failed: ADDRESS_REFUSED"

const portOf = (url: string): string => new URL(url).port

describe("addresses of a lender", () => {
  for (const [kind, texts] of Object.entries(addresses)) {
    it(`T52 classifies ${texts.length} addresses as ${kind}, IPv4 in IPv6 included`, () => {
      for (const text of texts) assert.strictEqual(addressKindOf(address(text)), kind, text)
    })
  }

  it("T52 allows public addresses only with encryption and private ones only with allowPrivateNetwork", () => {
    const table: ReadonlyArray<readonly [boolean, boolean, ReadonlyArray<AddressKind>]> = [
      [true, true, ["LOOPBACK", "PRIVATE", "PUBLIC"]],
      [true, false, ["PUBLIC"]],
      [false, true, ["LOOPBACK", "PRIVATE"]],
      [false, false, []]
    ]
    for (const [encrypted, allowPrivateNetwork, allowed] of table) {
      for (const [kind, texts] of Object.entries(addresses)) {
        for (const text of texts) {
          assert.strictEqual(
            isAddressAllowed(encrypted, allowPrivateNetwork, address(text)),
            allowed.includes(kind as AddressKind),
            text
          )
        }
      }
    }
  })

  it("T52 refuses forbidden addresses in URLs at start, in every notation", () => {
    for (
      const url of [
        "http://127.0.0.1:9",
        "http://10.1.2.3/v1",
        "http://[::1]:9/",
        "https://1.1.1.1",
        "https://10.1.2.3"
      ]
    ) {
      assert.isTrue(Result.isSuccess(parseLenderUrl(url, true)), url)
    }
    const forbidden = [
      "http://169.254.169.254/latest/meta-data",
      "https://169.254.169.254",
      "http://0xa9fea9fe/",
      "http://2852039166/",
      "http://0251.0376.0251.0376/",
      "http://[::ffff:169.254.169.254]/",
      "http://[fd00:ec2::254]/",
      "http://0.0.0.0:5432",
      "https://[::]",
      "http://1.1.1.1",
      "http://134744072/"
    ]
    for (const url of forbidden) assert.strictEqual(parsedOrReason(url), "ADDRESS", url)
    for (
      const url of [
        "https://10.1.2.3",
        "https://127.0.0.1",
        "https://2130706433",
        "https://[::ffff:7f00:1]",
        "http://lender.example"
      ]
    ) {
      assert.strictEqual(parsedOrReason(url, false), "ADDRESS", url)
    }
  })

  it("accepts host names with a path and refuses credentials, queries and other schemes", () => {
    assert.strictEqual(parsedOrReason("https://lender.example"), "https://lender.example/")
    assert.strictEqual(parsedOrReason("https://lender.example/fgts/v1"), "https://lender.example/fgts/v1")
    assert.strictEqual(parsedOrReason("http://lender.internal:8080/"), "http://lender.internal:8080/")
    for (const url of ["", "lender.example", "http://", "https://[::1", "//lender.example"]) {
      assert.strictEqual(parsedOrReason(url), "NOT_A_URL", url)
    }
    for (const url of ["ftp://lender.example", "file:///etc/passwd", "data:text/plain,x", "lender.example:443"]) {
      assert.strictEqual(parsedOrReason(url), "SCHEME", url)
    }
    assert.strictEqual(parsedOrReason("https://me:secret@lender.example"), "CREDENTIALS")
    assert.strictEqual(parsedOrReason("https://lender.example/?key=secret"), "QUERY")
    assert.strictEqual(parsedOrReason("https://lender.example/#x"), "QUERY")
  })

  it.live("T52 an invalid URL fails the layer, and the error does not hold the URL", () =>
    Effect.gen(function*() {
      const starting = Effect.provide(Lender, layerHttpLender({ url: "https://me:s3cret@lender.example" }))
      const refused = yield* Effect.flip(starting)
      assert.strictEqual(refused.reason, "CREDENTIALS")
      assert.notInclude(JSON.stringify(refused) + String(refused), "s3cret")
    }))

  it.live("T52 checks the addresses of a name at each connection", () =>
    overHttp(Effect.fnUntraced(function*({ calls, injectFaults, url }) {
      const { lookups, resolve } = resolverOf(
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["8.8.8.8"],
        ["::ffff:169.254.169.254"],
        []
      )
      yield* overHttp(() =>
        Effect.gen(function*() {
          injectFaults("LOSE")
          yield* Effect.flip(quoting("00"))
          for (let times = 1; times <= 4; times++) {
            assert.strictEqual((yield* Effect.flip(quoting("00"))).detail, refusal)
          }
        }), { url: `http://lender.internal:${portOf(url)}`, resolve })
      assert.deepStrictEqual(lookups, Array.from({ length: 5 }, () => "lender.internal"))
      assert.lengthOf(calls, 1)
    })))

  it.live("T52 refuses a name that resolves to a private address without allowPrivateNetwork", () =>
    overHttp(Effect.fnUntraced(function*({ calls, url }) {
      const { resolve } = resolverOf(["127.0.0.1", "::1", "10.0.0.1", "fd12::1"])
      const options = { url: `https://lender.example:${portOf(url)}`, resolve, allowPrivateNetwork: false }
      const failure = yield* overHttp(() => Effect.flip(quoting("00")), options)
      assert.strictEqual(failure.detail, refusal)
      assert.lengthOf(calls, 0)
    })))

  it.live("T52 tries only the allowed addresses of a name", () =>
    overHttp(Effect.fnUntraced(function*({ calls, url }) {
      const { resolve } = resolverOf(["169.254.169.254", "8.8.8.8", "127.0.0.1"])
      const options = { url: `http://lender.internal:${portOf(url)}`, resolve }
      assert.strictEqual((yield* overHttp(() => quoting("00"), options)).kind, "PRICED")
      assert.lengthOf(calls, 1)
    })))

  it.live("T52 sends nothing if the TLS connection fails", () =>
    overHttp(Effect.fnUntraced(function*({ calls, url }) {
      const failure = yield* overHttp(() => Effect.flip(quoting("00")), { url: `https://127.0.0.1:${portOf(url)}` })
      assert.match(failure.detail, /^quote: connection failed: /)
      assert.lengthOf(calls, 0)
    })))

  it.live("resolves names with the system's resolver by default", () =>
    overHttp(Effect.fnUntraced(function*({ url }) {
      const named = yield* overHttp(() => quoting("00"), { url: `http://localhost:${portOf(url)}` })
      assert.strictEqual(named.kind, "PRICED")
    })))
})
