import { CursorSeal } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { unicodeText } from "../../arbitraries/paging.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

/** Contract cases for CursorSeal. No case checks that the key is secret. */
export const cursorSealCases: ContractCases<CursorSeal> = (it) => {
  it.forAll(
    "PAGE-38 T84 `open` returns the text that was sealed in the same context, and none in another context",
    fc.tuple(unicodeText, unicodeText, unicodeText),
    function*([text, context, otherContext]) {
      const { open, seal } = yield* CursorSeal
      const sealed = yield* seal(text, context)
      assert.match(sealed, /^[A-Za-z0-9_-]+$/)
      assert.deepStrictEqual(yield* open(sealed, context), Option.some(text))
      if (otherContext !== context) assert.deepStrictEqual(yield* open(sealed, otherContext), Option.none())
    }
  )

  it("PAGE-38 T84 `open` returns none for a text that was not sealed, or that was changed", function*() {
    const { open, seal } = yield* CursorSeal
    const sealed = yield* seal("[1,2,[\"Ana Exemplo\",\"52998224725\"]]", "users")
    const changed = Array.from(
      { length: sealed.length },
      (_, index) => `${sealed.slice(0, index)}${sealed[index] === "A" ? "B" : "A"}${sealed.slice(index + 1)}`
    )
    const unsealed = ["", "A", "start", "%", "\u{1f600}", `${sealed}A`, `${sealed}=`, sealed.slice(0, -4), ...changed]
    for (const text of unsealed) assert.deepStrictEqual(yield* open(text, "users"), Option.none(), text)
  })

  it("T84 `seal` shows no part of the text", function*() {
    const sealed = yield* Effect.flatMap(CursorSeal, ({ seal }) => seal("Ana Exemplo 52998224725", "users"))
    for (const part of ["Ana", "Exemplo", "52998224725"]) assert.notInclude(sealed, part)
  })
}
