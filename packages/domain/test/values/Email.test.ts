import { assert, describe, it } from "@effect/vitest"
import { email, illFormedText } from "@lastro/testkit/arbitraries"
import { Result } from "effect"
import * as fc from "fast-check"
import { emailKey, isSingleScript, lowerCaseEmail, parseEmail } from "../../src/values/Email.ts"
import { decodePunycode, encodePunycode } from "../../src/values/punycode.ts"
import { checkParseIdempotent, expectParsed, expectRejected } from "./parsing.ts"

describe("Email", () => {
  it("DOC-07 an e-mail address is trimmed and normalised to NFC, and keeps its letter case", () => {
    expectParsed(parseEmail, " Maria.Silva+fgts@Example.COM.br\n", "Maria.Silva+fgts@Example.COM.br")
    expectParsed(parseEmail, "jose\u0301@exemplo.com", "jos\u00e9@exemplo.com")
    expectParsed(parseEmail, "a@b", "a@b")
    expectParsed(
      parseEmail,
      "o'neil_{x}!#$%&*/=?^`|~-@xn--exmplo-5ua.com",
      "o'neil_{x}!#$%&*/=?^`|~-@xn--exmplo-5ua.com"
    )
    expectParsed(parseEmail, "\u{1f600}@exemplo.com", "\u{1f600}@exemplo.com")
  })

  it("DOC-07 an address has 3 to 254 characters, with at most 64 in the local part and in each label", () => {
    const longest = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`
    assert.strictEqual(longest.length, 254)
    expectParsed(parseEmail, longest, longest)
    expectRejected(parseEmail, `${longest}d`, "TOO_LONG")
    expectRejected(parseEmail, "", "TOO_SHORT")
    expectRejected(parseEmail, " a@ ", "TOO_SHORT")
    expectRejected(parseEmail, `${"a".repeat(65)}@b.com`, "INVALID_FORMAT")
    expectRejected(parseEmail, `a@${"b".repeat(64)}.com`, "INVALID_FORMAT")
  })

  it("DOC-07 anything else is an INVALID_FORMAT", () => {
    const wrong = [
      "maria",
      "maria.example.com",
      "@example.com",
      "maria@",
      "maria@@example.com",
      "maria@silva@example.com",
      "maria@.com",
      "maria@example.",
      "maria@example..com",
      "maria@-example.com",
      "maria@example-.com",
      ".maria@example.com",
      "maria.@example.com",
      "ma..ria@example.com",
      "maria silva@example.com",
      "maria@exam ple.com",
      "maria\u00a0@example.com",
      "maria\u200b@example.com",
      "maria\u202e@example.com",
      "maria@exam\u00adple.com",
      "maria\t@example.com",
      "maria@example.com\u0000",
      "maria@example.com\r\nBcc: all@example.com",
      "maria\ud800@example.com",
      "maria@example.com\udc00",
      "<maria@example.com>",
      "Maria<maria@example.com",
      "\"maria\"@example.com",
      "maria,jose@example.com",
      "maria;jose@example.com",
      "mailto:maria@example.com",
      "maria(x)@example.com",
      "maria\\@example.com",
      "maria@[127.0.0.1]"
    ]
    for (const text of wrong) expectRejected(parseEmail, text, "INVALID_FORMAT")
  })

  it("DOC-07 a body-sized text is rejected without searching or normalising it", () => {
    const marks = "\u0315".repeat(60_000) + "\u0300".repeat(60_000)
    const pieces = ["@", "a.", "a@", "-", ".", `a${marks}@b.com`, "\u{1f600}"]
    for (const text of pieces) expectRejected(parseEmail, text.repeat(Math.ceil(120_000 / text.length)), "TOO_LONG")
    expectRejected(parseEmail, " ".repeat(250_000), "TOO_SHORT")
  })

  it("DOC-07 a parsed address parses to itself", () => {
    checkParseIdempotent(parseEmail, fc.oneof(illFormedText, fc.emailAddress(), email))
    checkParseIdempotent(
      parseEmail,
      fc.tuple(illFormedText, illFormedText).map(([local, domain]) => `${local}@${domain}`)
    )
  })

  it("DOC-07 ordinary addresses are accepted", () => {
    fc.assert(fc.property(fc.emailAddress(), (address) => {
      fc.pre(address.indexOf("@") <= 64)
      expectParsed(parseEmail, address, address)
    }))
  })

  it("DOC-08 addresses that differ only in letter case or composition are equal; others are not", () => {
    const keyOf = (text: string): string => emailKey(Result.getOrThrow(parseEmail(text)))
    assert.strictEqual(keyOf("Maria@Example.COM"), "maria@example.com")
    assert.strictEqual(keyOf("JOSE\u0301@exemplo.com"), keyOf("jos\u00e9@EXEMPLO.com"))
    assert.strictEqual(keyOf("H\u0331@exemplo.com"), keyOf("\u1e96@exemplo.com"), "composed in lower case only")
    assert.notStrictEqual(keyOf("jose@exemplo.com"), keyOf("jos\u00e9@exemplo.com"))
    assert.notStrictEqual(keyOf("maria+1@example.com"), keyOf("maria@example.com"))
    fc.assert(fc.property(email, (one) => {
      assert.strictEqual(emailKey(emailKey(one)), emailKey(one))
      assert.strictEqual(emailKey(one.toLowerCase()), emailKey(one))
      assert.strictEqual(emailKey(one).normalize("NFC"), emailKey(one))
    }))
    fc.assert(
      fc.property(fc.emailAddress(), (address) => assert.strictEqual(keyOf(address.toUpperCase()), keyOf(address)))
    )
  })

  it("DOC-08 a text that is far too long for an address is put in lower case, but not normalised", () => {
    const text = `E${"\u0315\u0300".repeat(60_000)}`
    assert.isTrue(emailKey(text) === text.toLowerCase())
    assert.isTrue(lowerCaseEmail(text) === text.toLowerCase())
  })

  it("DOC-07 DOC-27 a local part whose letters belong to several scripts is refused", () => {
    for (const mixed of ["аdmin", "adminа", "jоse", "αlpha", "maria漢", "日本и"]) {
      expectRejected(parseEmail, `${mixed}@example.com`, "INVALID_FORMAT")
    }
    const hidden = ["ａдмин", "\u{1d41a}дмин", "ⓐдмин", "µaria", "дⅰ", "ｱа"]
    for (const local of hidden) expectRejected(parseEmail, `${local}@example.com`, "INVALID_FORMAT")
    for (const single of ["josé.1990+x", "иван-1", "μαρία", "山田タロウひろ", "김漢", "µ1", "ｊｏｓｅ", "maſa", "ªa"]) {
      expectParsed(parseEmail, `${single}@example.com`, `${single}@example.com`)
    }
    assert.deepStrictEqual(["1+2", "maria", "mаria", "ᎠᎠ", "ᎠᎡ"].map(isSingleScript), [true, true, false, true, false])
  })

  it("DOC-07 DOC-27 a label of the domain whose letters belong to several scripts is refused", () => {
    for (const domain of ["exаmple.com", "mail.gооgle.com", "example.cоm", "ехample.com.br", "ｅxаmple.com"]) {
      expectRejected(parseEmail, `maria@${domain}`, "INVALID_FORMAT")
    }
    for (
      const domain of ["пример.com", "почта.example.рф", "fácil.example", "ドメイン名例.example", "ｆácil。пример"]
    ) {
      expectParsed(parseEmail, `maria@${domain}`, `maria@${domain}`)
    }
  })

  it("DOC-07 DOC-27 a label of the domain in ASCII form is judged as the text that it stands for", () => {
    for (const domain of ["xn--fcil-5na.example", "XN--Fcil-5na.example", "mail.xn--e1afmkfd.xn--p1ai"]) {
      expectParsed(parseEmail, `maria@${domain}`, `maria@${domain}`)
    }
    const mixed = ["exаmple", "gооgle", "ехample", "maria漢"].map((label) => `xn--${encodePunycode(label)}`)
    // Not the ASCII form of any label: cut off, too large, plain ASCII, upper case, a compatible form, invisible, a dot.
    const wrong = ["xn--fcil-5n", "xn--99999999", "xn--example-", "xn--", "xn--a", "xn---a"]
    const other = ["FÁCIL", "ｆácil", "fá\u200bcil", "fá。cil", "fá cil"].map((label) => `xn--${encodePunycode(label)}`)
    for (const label of [...mixed, ...wrong, ...other]) {
      expectRejected(parseEmail, `maria@${label}.example`, "INVALID_FORMAT")
    }
  })

  it("DOC-08 Punycode is decoded to the text that was encoded, and any other text to nothing", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 63 }), (text) => {
      assert.strictEqual(decodePunycode(encodePunycode(text)), text)
    }))
    fc.assert(fc.property(fc.stringMatching(/^[a-z0-9-]{0,59}$/), (text) => {
      const decoded = decodePunycode(text)
      if (decoded !== undefined) assert.strictEqual(encodePunycode(decoded), text)
    }))
  })

  it("DOC-08 compatible forms and the ASCII form of a domain are equal", () => {
    for (
      const [one, other] of [
        ["ｊｏｓｅ@example.com", "jose@example.com"],
        ["maſa@example.com", "masa@example.com"],
        ["\u212aATE@example.com", "kate@example.com"],
        ["\u{1d41a}na@example.com", "ana@example.com"],
        ["a@fácil.example", "A@XN--FCIL-5NA.example"],
        ["a@ｆácil。example", "a@fácil.example"],
        ["a@bücher.example", "a@xn--bcher-kva.example"],
        ["a@ドメイン名例.example", "a@xn--eckwd4c7cu47r2wf.example"],
        ["a@他们为什么不说中文", "a@xn--ihqwcrb4cv8a8dqg056pqjye"]
      ] as const
    ) assert.strictEqual(emailKey(one), emailKey(other), one)
    assert.strictEqual(lowerCaseEmail("Maſa@Fácil.example"), "maſa@fácil.example")
  })

  it("DOC-07 an address is refused if its compatible form is no address", () => {
    for (
      const address of ["a＠b@example.com", "a．．b@example.com", "…@example.com", "a@b…example", "a℀b（@example.com"]
    ) {
      expectRejected(parseEmail, address, "INVALID_FORMAT")
    }
  })
})
