import { assert, describe, it } from "@effect/vitest"
import { NextAction } from "@lastro/domain/loan"
import { isJsonObject, rewrite } from "../../src/api/openapi/JsonObject.ts"
import { openApi } from "../../src/api/openapi/openApi.ts"
import { overview } from "../../src/api/overview.ts"
import { openApiPtBr } from "../../src/api/portuguese/openApiPtBr.ts"
import { overviewPtBr } from "../../src/api/portuguese/overviewPtBr.ts"
import { operations } from "./operations.ts"

const english = openApi("/lending")
const portuguese = openApiPtBr("/lending")

/** The code in a text, such as the names of fields. It is the same in each language. */
const codeIn = (text: string): ReadonlyArray<string> =>
  [...new Set([...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code))].toSorted()

const assertTranslation = (from: string, to: string, place: string): void => {
  assert.isNotEmpty(to, place)
  assert.notStrictEqual(to, from, place)
  assert.deepStrictEqual(codeIn(to), codeIn(from), place)
}

/** The descriptions of a document by their place, outside of examples. */
const descriptionsOf = (value: unknown, place = "", isName = false): ReadonlyArray<readonly [string, string]> =>
  Array.isArray(value)
    ? value.flatMap((item, index) => descriptionsOf(item, `${place}/${index}`))
    : isJsonObject(value)
    ? Object.entries(value).flatMap(([key, inner]) =>
      key === "description" && typeof inner === "string" && !isName
        ? [[place, inner] as const]
        : key === "example" || key === "examples"
        ? []
        : descriptionsOf(inner, `${place}/${key}`, key === "properties")
    )
    : []

/** The examples of fields and bodies by their place. */
const examplesOf = (value: unknown, place = "", isName = false): ReadonlyArray<readonly [string, unknown]> =>
  Array.isArray(value)
    ? value.flatMap((item, index) => examplesOf(item, `${place}/${index}`))
    : isJsonObject(value)
    ? Object.entries(value).flatMap(([key, inner]) =>
      key === "example" && !isName
        ? [[place, inner] as const]
        : key === "examples"
        ? []
        : examplesOf(inner, `${place}/${key}`, key === "properties")
    )
    : []

describe("the document in Portuguese", () => {
  it("has the same examples as in English", () => {
    const examples = examplesOf(english)
    assert.isAbove(examples.length, 50)
    assert.deepStrictEqual(examplesOf(portuguese), examples)
  })

  it("every operation has a summary and a description, with the same code as in English", () => {
    const translated = new Map(operations(portuguese).map(({ operation }) => [operation.operationId, operation]))
    for (const { operation } of operations(english)) {
      const { description, summary } = Object(translated.get(operation.operationId))
      assertTranslation(String(Reflect.get(operation, "summary")), String(summary), operation.operationId)
      assertTranslation(String(Reflect.get(operation, "description")), String(description), operation.operationId)
    }
  })

  it("every tag and the introduction are translated", () => {
    const tags = [english, portuguese].map(({ tags }) => tags as unknown as ReadonlyArray<Record<string, string>>)
    const [from = [], to = []] = tags
    from.forEach((tag, index) =>
      assertTranslation(tag["description"] ?? "", to[index]?.["description"] ?? "", tag["name"] ?? "")
    )
    assertTranslation(overview, overviewPtBr, "introduction")
    assert.strictEqual(overviewPtBr.split("\n\n").length, overview.split("\n\n").length)
  })

  it("the introduction names every next action", () => {
    for (const action of NextAction.literals) {
      for (const text of [overview, overviewPtBr]) assert.include(text, `\`${action}\``)
    }
  })

  it("at least nine tenths of the other descriptions are translated", () => {
    const [from, to] = [descriptionsOf(english), descriptionsOf(portuguese)]
    const missing = from.filter(([, text], index) => to[index]?.[1] === text)
    assert.isBelow(missing.length / from.length, 0.1, missing.map(([place, text]) => `${place}: ${text}`).join("\n"))
  })

  it("differs from the English document only in texts", () => {
    const withoutTexts = (document: object) =>
      rewrite(document, ({ description: _, message: __, summary: ___, "x-locale": ____, ...rest }) => rest)
    assert.deepStrictEqual(withoutTexts(portuguese), withoutTexts(english))
  })
})
