import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerId } from "@lastro/domain/values"
import { cursorContext } from "../../src/ports/CursorSeal.ts"

describe("cursorContext", () => {
  it("PAGE-38 differs for another list, partner, filter and sort", () => {
    const scope = (id: string) => asOperator.scope(id as PartnerId)
    const query = { filters: { name: "ana" }, sort: [{ property: "name", direction: "asc" }] } as const
    const contexts = [
      cursorContext("users", scope("a"), query),
      cursorContext("partners", scope("a"), query),
      cursorContext("users", scope("b"), query),
      cursorContext("users", scope("a"), { ...query, filters: { name: "bia" } }),
      cursorContext("users", scope("a"), { ...query, sort: [{ property: "name", direction: "desc" }] })
    ]
    assert.strictEqual(new Set(contexts).size, contexts.length)
    assert.strictEqual(cursorContext("users", scope("a"), { ...query }), contexts[0])
  })
})
