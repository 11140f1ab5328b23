import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { existingId } from "../../src/hierarchy/existingId.ts"
import { idOrNobody } from "../../src/id/Uuid.ts"

const outcome = (text: string): string =>
  Result.match(existingId<string>(text), { onSuccess: (id) => id, onFailure: ({ _tag }) => _tag })

describe("existingId", () => {
  it("ID-02 a UUID in either letter case is an id, converted to lower case", () => {
    fc.assert(fc.property(fc.uuid(), (id) => {
      assert.strictEqual(outcome(id), id)
      assert.strictEqual(outcome(id.toUpperCase()), id)
      assert.strictEqual(idOrNobody(id.toUpperCase()), id)
    }))
  })

  it("ID-02 a malformed id is NOT_FOUND", () => {
    const uuid = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"
    for (
      const text of ["", "me", ` ${uuid}`, `{${uuid}}`, uuid.replaceAll("-", ""), `${uuid}0`, uuid.replace("f", "g")]
    ) {
      assert.strictEqual(outcome(text), "NotFound", text)
      assert.strictEqual(idOrNobody(text), "")
    }
  })
})
