import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { parseId } from "../../src/id/Uuid.ts"
import { parseJobName } from "../../src/operator/jobs.ts"

describe("parseJobName", () => {
  it("JOB-08 reads the kind and the id of a job, and refuses every other text", () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z][a-z_-]{0,30}$/), fc.uuid({ version: 7 }), (kind, id) => {
      assert.deepStrictEqual(Result.getOrThrow(parseJobName(`${kind}/${id}`)), { kind, id })
    }))
    fc.assert(fc.property(fc.string(), (text) => {
      const [, kind = "", id = ""] = /^([a-z][a-z_-]{0,30})\/(.*)$/s.exec(text) ?? []
      const names = kind !== "" && Option.isSome(parseId<string>(id))
      assert.strictEqual(Result.isSuccess(parseJobName(text)), names)
    }))
    for (
      const text of [
        "",
        "quote",
        "quote/",
        "/0199f5a2-0000-7000-8000-000000000001",
        "quote/1",
        "Quote/0199f5a2-0000-7000-8000-000000000001"
      ]
    ) {
      assert.isTrue(Result.isFailure(parseJobName(text)), text)
    }
  })
})
