import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { signatureLink } from "../../src/loan/signatureLink.ts"

const safe = [
  ["https://lender.example/sign/1", "https://lender.example/sign/1"],
  ["HTTPS://Sign.Lender.Example:443", "https://sign.lender.example/"],
  ["https://lender.example:8443?token=a%20b&x=1/2#top", "https://lender.example:8443/?token=a%20b&x=1/2#top"],
  ["HTTP://LocalHost:80/sandbox/signature?reference=a-1", "http://localhost/sandbox/signature?reference=a-1"],
  ["http://localhost:8080?a", "http://localhost:8080/?a"],
  ["https://xn--fcil-5na.example/a@b:c", "https://xn--fcil-5na.example/a@b:c"]
] as const

const unsafe = [
  "",
  "http://lender.example/sign",
  "http://localhost.evil.example/",
  "http://localhost@evil.example/",
  "http://localhost-evil.example/",
  "http://127.0.0.1:8080/",
  "http://sign.localhost/",
  "https://user:pw@evil.example/",
  "https://lender.example@evil.example/",
  "https://lender.example\\@evil.example/",
  "https://lender.example/\u202Egpj.exe",
  "https://l\u0435nder.example/",
  "https://lender.example/a b",
  "https://lender.example/a\nb",
  " https://lender.example/",
  "https://lender.example/%zz",
  "https://lender.example/a/../b",
  "https://lender.example/a/%2E%2e/b",
  "https://lender.example:70000/",
  "https://127.0.0.1/",
  "https://0x7f.1/",
  "https://2130706433/",
  "https://[::1]/",
  "https://lender_one.example/",
  "https://lender.example./",
  "https://lender.example/it's",
  "https:///sign",
  "https:lender.example",
  "//lender.example/",
  "javascript:alert(1)",
  `https://lender.example/${"a".repeat(2_048)}`
]

describe("signatureLink", () => {
  it("FGTS-70 is an https link in ASCII, or a link to this machine, without user information, in its normal form", () => {
    for (const [link, normal] of safe) assert.strictEqual(signatureLink(link), normal)
    for (const link of unsafe) assert.isNull(signatureLink(link), link)
    assert.isNull(signatureLink(null))
  })

  it("FGTS-70 every link that is passed on means to a browser exactly what it says", () => {
    const parts = fc.constantFrom(
      ..."https:// / : @ ? # . .. %2e %41 a B 0 443 8443 lender.example evil.example [::1] 0x 1 \\ \u202E \t é user ' & = ; ~"
        .split(" ")
    )
    const links = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.array(parts, { maxLength: 12 }).map((all) => `https://${all.join("")}`)
    )
    fc.assert(
      fc.property(links, (link) => {
        const passed = signatureLink(link)
        if (passed === null) return
        assert.match(passed, /^https:\/\/[!-~]+$/)
        assert.strictEqual(signatureLink(passed), passed)
        const { hash, href, password, protocol, search, username } = new URL(passed)
        assert.deepStrictEqual([protocol, username, password], ["https:", "", ""])
        // An empty query or fragment has no meaning.
        assert.strictEqual(href, passed, `${search} ${hash}`)
        assert.strictEqual(new URL(link).href, href)
      }),
      { numRuns: examples(2_000) }
    )
  })
})
