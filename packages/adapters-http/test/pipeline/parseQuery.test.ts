import { assert, describe, it } from "@effect/vitest"
import { parseQuery } from "../../src/pipeline/parseQuery.ts"

const queryOf = (url: string) => ({ ...parseQuery(url) })

describe("parseQuery", () => {
  it("lists the values of a repeated parameter in order", () => {
    assert.deepStrictEqual(queryOf("/x?a=1&b=2&a=3&a="), { a: ["1", "3", ""], b: "2" })
  })

  it("decodes names and values like a form", () => {
    assert.deepStrictEqual(queryOf("/x?full%20name=Jos%C3%A9+%2B&a=b=c&d"), { "full name": "José +", a: "b=c", d: "" })
  })

  it("ignores empty pairs, and a query starts at the first question mark", () => {
    for (const url of ["/x", "/x?", "/x?&&"]) assert.deepStrictEqual(queryOf(url), {}, url)
    assert.deepStrictEqual(queryOf("/x?a=1?b=2"), { a: "1?b=2" })
  })

  it("returns every name as a member, also the names of members of objects", () => {
    const query = parseQuery("/x?__proto__=1&constructor=2")
    assert.deepStrictEqual(Object.entries(query), [["__proto__", "1"], ["constructor", "2"]])
    assert.isUndefined(parseQuery("/x")["toString"])
  })
})
