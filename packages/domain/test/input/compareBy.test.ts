import { assert, describe, it } from "@effect/vitest"
import { sortOf, unicodeText } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { codePointOrder, compareBy, compareValues, positionBy, type SortKey } from "../../src/input/compareBy.ts"
import { foldText } from "../../src/input/fold.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly nick: string | null
  readonly amount: number | null
  readonly cents: bigint
  readonly active: boolean
}

const fields = ["name", "nick", "amount", "cents", "active"] as const

const keys: Readonly<Record<typeof fields[number], SortKey<Row>>> = {
  name: ({ name }) => name,
  nick: ({ nick }) => nick,
  amount: ({ amount }) => amount,
  cents: ({ cents }) => cents,
  active: ({ active }) => active
}

const compare = compareBy(keys, ({ id }) => id)

const positions = positionBy(keys, ({ id }) => id)

const rows: fc.Arbitrary<Row> = fc.record({
  id: fc.uuid(),
  name: unicodeText,
  nick: fc.option(fc.constantFrom("", "a", "A", "á", "b")),
  amount: fc.option(fc.oneof(fc.integer({ min: -1, max: 1 }), fc.constantFrom(NaN, -0, Infinity, 0.5))),
  cents: fc.bigInt({ min: -1n, max: 1n }),
  active: fc.boolean()
})

const row = (id: string, nick: string | null): Row => ({ id, nick, name: "", amount: 0, cents: 0n, active: true })

describe("compareBy", () => {
  it("PAGE-12 orders folded text by code point, numbers by size, false before true, and null last", () => {
    const ladders: ReadonlyArray<ReadonlyArray<string | number | bigint | boolean | null>> = [
      ["", "ABEL", "Ábel x", "bia", "Zoe", "\ue000", "\u{10000}", null],
      [-Infinity, -1, 0, 0.5, 2, 10, Infinity, NaN, null],
      [-10n, 0n, 9n, 10n, null],
      [false, true, null]
    ]
    for (const ladder of ladders) {
      for (const [index, value] of ladder.entries()) {
        for (const [another, other] of ladder.entries()) {
          assert.strictEqual(compareValues(value, other), Math.sign(index - another), `${value} ${other}`)
        }
      }
    }
    assert.strictEqual(compareValues("JOSÉ", "jose"), 0)
    assert.strictEqual(compareValues(-0, 0), 0)
  })

  it("PAGE-12 null is first in a descending sort", () => {
    const list = [row("1", "a"), row("2", null), row("3", "b")]
    const ids = (direction: "asc" | "desc") =>
      list.toSorted(compare([{ property: "nick", direction }])).map(({ id }) => id).join("")
    assert.strictEqual(ids("asc"), "132")
    assert.strictEqual(ids("desc"), "231")
  })

  it("PAGE-13 the id breaks ties, in the direction of the last sort", () => {
    const list = [row("b", null), row("a", null), row("c", null)]
    const ids = (...directions: ["asc" | "desc", "asc" | "desc"]) =>
      list.toSorted(
        compare([{ property: "name", direction: directions[0] }, { property: "nick", direction: directions[1] }])
      )
        .map(({ id }) => id).join("")
    assert.strictEqual(ids("asc", "asc"), "abc")
    assert.strictEqual(ids("desc", "asc"), "abc")
    assert.strictEqual(ids("asc", "desc"), "cba")
    assert.strictEqual(ids("desc", "desc"), "cba")
  })

  it("PAGE-13 earlier sorts take precedence over later ones", () => {
    fc.assert(
      fc.property(rows, rows, sortOf(fields), (a, b, sort) => {
        const single = sort.map((one) => compare([one])({ ...a, id: "same" }, { ...b, id: "same" }))
        const decisive = single.find((order) => order !== 0)
          ?? codePointOrder(a.id, b.id) * (sort.at(-1)?.direction === "desc" ? -1 : 1)
        assert.strictEqual(compare(sort)(a, b), decisive === 0 ? 0 : decisive)
      }),
      { numRuns: examples(1_500) }
    )
  })

  it("PAGE-13 is a total order in which an item equals only itself", () => {
    fc.assert(
      fc.property(rows, rows, rows, sortOf(fields), (a, b, c, sort) => {
        const order = compare(sort)
        for (const [x, y, z] of [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] as const) {
          assert.strictEqual(order(x, y) === 0, x.id === y.id)
          assert.strictEqual(order(x, x), 0)
          assert.strictEqual(order(x, y) + order(y, x), 0)
          if (order(x, y) <= 0 && order(y, z) <= 0) assert.ok(order(x, z) <= 0)
        }
      }),
      { numRuns: examples(1_500) }
    )
  })

  it("PAGE-13 reversing every direction reverses the order", () => {
    fc.assert(
      fc.property(rows, rows, sortOf(fields), (a, b, [first, ...rest]) => {
        const reverse = ({ property, direction }: typeof first) =>
          ({ property, direction: direction === "asc" ? "desc" : "asc" }) as const
        assert.strictEqual(compare([first, ...rest])(a, b) + compare([reverse(first), ...rest.map(reverse)])(a, b), 0)
      }),
      { numRuns: examples(1_000) }
    )
  })

  it("PAGE-12 texts with equal folds are equal; others are ordered by their folds", () => {
    fc.assert(
      fc.property(unicodeText, unicodeText, (a, b) => {
        assert.strictEqual(compareValues(a, b), codePointOrder(foldText(a), foldText(b)))
      }),
      { numRuns: examples(1_000) }
    )
  })

  it("PAGE-13 absent values of a property in nullsLast come last in both directions", () => {
    const items = [{ id: "a", paid: null }, { id: "b", paid: 1 }, { id: "c", paid: 2 }]
    const inOrder = compareBy({ paid: ({ paid }: (typeof items)[number]) => paid }, ({ id }) => id, ["paid"])
    const ids = (direction: "asc" | "desc") =>
      items.toSorted(inOrder([{ property: "paid", direction }])).map(({ id }) => id).join("")
    assert.deepStrictEqual([ids("asc"), ids("desc")], ["bca", "cba"])
  })

  it("PAGE-37 the items that follow the position of an item are those that come after it in the order", () => {
    fc.assert(
      fc.property(fc.array(rows, { minLength: 1, maxLength: 8 }), sortOf(fields), fc.nat(), (list, sort, at) => {
        // JSON has no NaN and no infinity. The sort values of records are JSON values.
        const finite = list.map((one) => ({ ...one, amount: Number.isFinite(one.amount) ? one.amount : null }))
        const { follows, positionOf } = positions(sort)
        const one = finite[at % finite.length] as Row
        const position = JSON.parse(JSON.stringify(positionOf(one))) as ReturnType<typeof positionOf>
        assert.deepStrictEqual(
          finite.filter(follows(position)),
          finite.filter((other) => compare(sort)(other, one) > 0)
        )
      }),
      { numRuns: examples(1_000) }
    )
  })
})
