import { assert, describe, it } from "@effect/vitest"
import { preferredCoding } from "../../src/pipeline/negotiation.ts"
import { isUtf8, parseMediaType } from "../../src/pipeline/readBody.ts"

const cases: ReadonlyArray<readonly [header: string | undefined, type: string, utf8: boolean]> = [
  ["application/json", "application/json", true],
  ["Application/JSON; Charset=UTF-8", "application/json", true],
  ["application/json;charset=\"utf-8\"", "application/json", true],
  ["application/json ; charset=utf8", "application/json", true],
  ["application/json; boundary=x; charset=utf-8", "application/json", true],
  ["application/json; charset=US-ASCII", "application/json", true],
  ["application/json; charset=iso-8859-1", "application/json", false],
  ["application/json; charset=utf-16", "application/json", false],
  ["text/json", "text/json", true],
  ["", "", true],
  [undefined, "", true]
]

describe("parseMediaType", () => {
  for (const [header, type, utf8] of cases) {
    it(`parses ${String(header)}`, () => {
      const media = parseMediaType(header)
      assert.strictEqual(media.type, type)
      assert.strictEqual(isUtf8(media), utf8)
    })
  }
})

describe("preferredCoding", () => {
  it("selects the coding with the highest weight, and a coding that is named takes precedence over `*`", () => {
    for (
      const [header, expected] of [
        ["gzip, br", "br"],
        ["gzip;q=0.9, br;q=0.8", "gzip"],
        ["*;q=0, gzip", "gzip"],
        ["*, br;q=0", "gzip"],
        ["br;q=0, *", "gzip"],
        ["*;q=0.1, identity", "identity"],
        ["", "identity"],
        [undefined, "identity"]
      ] as const
    ) assert.strictEqual(preferredCoding(header), expected, String(header))
  })
})
