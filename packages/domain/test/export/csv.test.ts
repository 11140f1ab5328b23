import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Schema } from "effect"
import * as fc from "fast-check"
import { csvColumns, csvFormats, csvHeader, csvLine, quoteCell, withoutFormula } from "../../src/export/csv.ts"
import { exports } from "../../src/export/exportList.ts"

const Item = Schema.Struct({
  id: Schema.String,
  person: Schema.NullOr(Schema.Struct({ name: Schema.String, net_amount: Schema.NullOr(Schema.Finite) })),
  tags: Schema.Array(Schema.String),
  metadata: Schema.Record(Schema.String, Schema.String),
  active: Schema.Boolean,
  note: Schema.optionalKey(Schema.String)
})

const columns = csvColumns(Item)

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."ab \"',;=+-@\r\n\t\ufeff1.é") }),
  fc.string({ unit: "grapheme" })
)

const item = fc.record({
  id: text,
  person: fc.option(
    fc.record({ name: text, net_amount: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })) })
  ),
  tags: fc.array(text, { maxLength: 3 }),
  metadata: fc.dictionary(text, text, { maxKeys: 3 }),
  active: fc.boolean(),
  note: text
}, { requiredKeys: ["id", "person", "tags", "metadata", "active"] })

describe("CSV", () => {
  it("CSV-01 the columns are the leaves of the records, and arrays and maps are one column each", () => {
    assert.deepStrictEqual(columns.map(({ name }) => name), [
      "id",
      "person_name",
      "person_net_amount",
      "tags",
      "metadata",
      "active",
      "note"
    ])
    assert.deepStrictEqual(csvColumns(Item, ["note", "id"]).map(({ name }) => name).slice(0, 1), ["person_name"])
  })

  it("CSV-01 the columns of every list are unique, and named like the fields of its JSON", () => {
    for (const [name, { columns }] of Object.entries(exports)) {
      const names = columns.map((column) => column.name)
      assert.strictEqual(new Set(names).size, names.length, name)
      for (const column of names) assert.match(column, /^[a-z][a-z0-9_]*$/, name)
    }
    const namesOf = (name: keyof typeof exports) => exports[name].columns.map((column) => column.name)
    assert.includeMembers(namesOf("listAudit"), ["audit_id", "changed_fields", "before", "after"])
    assert.includeMembers(namesOf("listUsers"), ["group_slug", "metadata"])
    assert.includeMembers(namesOf("listApplications"), ["customer_name", "rejection_code", "best_net_amount"])
  })

  it("CSV-02 a text that begins like a formula gets an apostrophe, and a number gets none", () => {
    const formulas = ["=1+1", "+55", "-5", "@cmd", "\t=1", "\r=1", "\n=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff20cmd"]
    for (const one of formulas) assert.strictEqual(withoutFormula(one), `'${one}`)
    for (const one of ["", "a=1", " =1", "'=1", "5-5"]) assert.strictEqual(withoutFormula(one), one)
    const record = { id: "-1", person: { name: "=x", net_amount: -1.5 }, tags: [], metadata: {}, active: true }
    assert.strictEqual(csvLine(record, columns, csvFormats.en), "'-1,'=x,-1.5,[],{},true,\r\n")
    assert.strictEqual(csvLine(record, columns, csvFormats["pt-BR"]), "'-1;'=x;-1,5;[];{};true;\r\n")
  })

  it("CSV-03 quotes a cell only if it must, and doubles its quotation marks", () => {
    assert.strictEqual(quoteCell("a;b", csvFormats.en), "a;b")
    assert.strictEqual(quoteCell("a;b", csvFormats["pt-BR"]), "\"a;b\"")
    assert.strictEqual(quoteCell("say \"x\"", csvFormats.en), "\"say \"\"x\"\"\"")
    assert.strictEqual(quoteCell("a\nb", csvFormats.en), "\"a\nb\"")
  })

  it("CSV-03 a CSV parser reads back every cell, in both formats", () => {
    fc.assert(fc.property(fc.array(item, { maxLength: 5 }), fc.constantFrom("en", "pt-BR"), (items, language) => {
      const format = csvFormats[language as keyof typeof csvFormats]
      const file = csvHeader(columns, format) + items.map((one) => csvLine(one, columns, format)).join("")
      const rows: ReadonlyArray<Readonly<Record<string, string>>> = parse(file, {
        bom: true,
        columns: true,
        delimiter: format.separator,
        record_delimiter: "\r\n"
      })
      const number = (value: number | null | undefined) => String(value ?? "").replace(".", format.decimalMark)
      assert.deepStrictEqual(
        rows,
        items.map((one) => ({
          id: withoutFormula(one.id),
          person_name: withoutFormula(one.person?.name ?? ""),
          person_net_amount: number(one.person?.net_amount),
          tags: JSON.stringify(one.tags),
          metadata: JSON.stringify(one.metadata),
          active: String(one.active),
          note: withoutFormula(one.note ?? "")
        }))
      )
    }))
  })
})
