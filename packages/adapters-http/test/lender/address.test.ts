import { assert, describe, it } from "@effect/vitest"
import { layerHttpLender, type Resolve } from "@lastro/adapters-http"
import { Lender } from "@lastro/domain"
import { Effect, Option, Result } from "effect"
import { addressOf, mayAsk, type Reach, reachOf } from "../../src/lender/lenderAddress.ts"
import { judgeLenderUrl } from "../../src/lender/lenderUrl.ts"
import { overHttp, quoting } from "./asking.ts"

const addresses: Readonly<Record<Reach, ReadonlyArray<string>>> = {
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
  NOWHERE: [
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

const address = (text: string) => Option.getOrThrow(addressOf(text))

const judged = (url: string, allowPrivateNetwork = true): string =>
  Result.match(judgeLenderUrl(url, allowPrivateNetwork), {
    onSuccess: ({ href }) => href,
    onFailure: ({ reason }) => reason
  })

/** A resolver of one name, which leads somewhere else each time that it is asked, at last for good. */
const resolving = (...places: ReadonlyArray<ReadonlyArray<string>>) => {
  const left = [...places]
  const asked: Array<string> = []
  const resolve: Resolve = (name, _, answer) => {
    asked.push(name)
    const found = (left.length > 1 ? left.shift() : left[0]) ?? []
    answer(null, found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
  }
  return { asked, resolve }
}

const refusal = "quote: no connection, or a broken one: ADDRESS_REFUSED"

const portOf = (url: string): string => new URL(url).port

describe("where a lender is asked", () => {
  for (const [reach, texts] of Object.entries(addresses)) {
    it(`T52 ${reach.toLowerCase()}: ${texts.length} addresses, disguised ones included`, () => {
      for (const text of texts) assert.strictEqual(reachOf(address(text)), reach, text)
    })
  }

  it("T52 in public only encrypted, inside only where that is allowed, nowhere never", () => {
    const table: ReadonlyArray<readonly [boolean, boolean, ReadonlyArray<Reach>]> = [
      [true, true, ["LOOPBACK", "PRIVATE", "PUBLIC"]],
      [true, false, ["PUBLIC"]],
      [false, true, ["LOOPBACK", "PRIVATE"]],
      [false, false, []]
    ]
    for (const [encrypted, allowPrivateNetwork, allowed] of table) {
      for (const [reach, texts] of Object.entries(addresses)) {
        for (const text of texts) {
          assert.strictEqual(
            mayAsk(encrypted, allowPrivateNetwork, address(text)),
            allowed.includes(reach as Reach),
            text
          )
        }
      }
    }
  })

  it("T52 URLs that name an address are judged when the service starts, however they write it", () => {
    for (
      const url of [
        "http://127.0.0.1:9",
        "http://10.1.2.3/v1",
        "http://[::1]:9/",
        "https://1.1.1.1",
        "https://10.1.2.3"
      ]
    ) {
      assert.isTrue(Result.isSuccess(judgeLenderUrl(url, true)), url)
    }
    const nowhere = [
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
    for (const url of nowhere) assert.strictEqual(judged(url), "ADDRESS", url)
    for (
      const url of [
        "https://10.1.2.3",
        "https://127.0.0.1",
        "https://2130706433",
        "https://[::ffff:7f00:1]",
        "http://lender.example"
      ]
    ) {
      assert.strictEqual(judged(url, false), "ADDRESS", url)
    }
  })

  it("names, and what follows them, are taken as they are; everything else is refused", () => {
    assert.strictEqual(judged("https://lender.example"), "https://lender.example/")
    assert.strictEqual(judged("https://lender.example/fgts/v1"), "https://lender.example/fgts/v1")
    assert.strictEqual(judged("http://lender.internal:8080/"), "http://lender.internal:8080/")
    for (const url of ["", "lender.example", "http://", "https://[::1", "//lender.example"]) {
      assert.strictEqual(judged(url), "NOT_A_URL", url)
    }
    for (const url of ["ftp://lender.example", "file:///etc/passwd", "data:text/plain,x", "lender.example:443"]) {
      assert.strictEqual(judged(url), "SCHEME", url)
    }
    assert.strictEqual(judged("https://me:secret@lender.example"), "CREDENTIALS")
    assert.strictEqual(judged("https://lender.example/?key=secret"), "QUERY")
    assert.strictEqual(judged("https://lender.example/#x"), "QUERY")
  })

  it.live("T52 a refused URL fails the start, and is not repeated", () =>
    Effect.gen(function*() {
      const starting = Effect.provide(Lender, layerHttpLender({ url: "https://me:s3cret@lender.example" }))
      const refused = yield* Effect.flip(starting)
      assert.strictEqual(refused.reason, "CREDENTIALS")
      assert.notInclude(JSON.stringify(refused) + String(refused), "s3cret")
    }))

  it.live("T52 a name is judged at each connection: what leads inside today may not lead elsewhere tomorrow", () =>
    overHttp(Effect.fnUntraced(function*({ calls, spoil, url }) {
      const { asked, resolve } = resolving(
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["8.8.8.8"],
        ["::ffff:169.254.169.254"],
        []
      )
      yield* overHttp(() =>
        Effect.gen(function*() {
          spoil("LOSE")
          yield* Effect.flip(quoting("00"))
          for (let times = 1; times <= 4; times++) {
            assert.strictEqual((yield* Effect.flip(quoting("00"))).detail, refusal)
          }
        }), { url: `http://lender.internal:${portOf(url)}`, resolve })
      assert.deepStrictEqual(asked, Array.from({ length: 5 }, () => "lender.internal"))
      assert.lengthOf(calls, 1)
    })))

  it.live("T52 a name that leads here is not followed where private networks are not allowed", () =>
    overHttp(Effect.fnUntraced(function*({ calls, url }) {
      const { resolve } = resolving(["127.0.0.1", "::1", "10.0.0.1", "fd12::1"])
      const options = { url: `https://lender.example:${portOf(url)}`, resolve, allowPrivateNetwork: false }
      const failure = yield* overHttp(() => Effect.flip(quoting("00")), options)
      assert.strictEqual(failure.detail, refusal)
      assert.lengthOf(calls, 0)
    })))

  it.live("T52 of several addresses only those are tried that are allowed", () =>
    overHttp(Effect.fnUntraced(function*({ calls, url }) {
      const { resolve } = resolving(["169.254.169.254", "8.8.8.8", "127.0.0.1"])
      const options = { url: `http://lender.internal:${portOf(url)}`, resolve }
      assert.strictEqual((yield* overHttp(() => quoting("00"), options)).kind, "PRICED")
      assert.lengthOf(calls, 1)
    })))

  it.live("T52 nothing is sent where an encrypted connection does not come about", () =>
    overHttp(Effect.fnUntraced(function*({ calls, url }) {
      const failure = yield* overHttp(() => Effect.flip(quoting("00")), { url: `https://127.0.0.1:${portOf(url)}` })
      assert.match(failure.detail, /^quote: no connection, or a broken one: /)
      assert.lengthOf(calls, 0)
    })))

  it.live("a name is looked up by the system where nothing else is said", () =>
    overHttp(Effect.fnUntraced(function*({ url }) {
      const named = yield* overHttp(() => quoting("00"), { url: `http://localhost:${portOf(url)}` })
      assert.strictEqual(named.kind, "PRICED")
    })))
})
