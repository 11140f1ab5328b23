import { assert, describe, it } from "@effect/vitest"
import { findProblems, parseRules, parseTestNames, rulesPage, threatsPage } from "../ruleIndex.ts"

const rule = { id: "DOC-01", sentence: "A CPF has eleven digits.", source: "", file: "Cpf.ts" }
const named = { id: "DOC-01", name: "takes eleven digits", file: "Cpf.test.ts", isArgument: true }
const threats = { T07: "A token lives too long" }

describe("parseRules", () => {
  it("returns the first sentence of the doc comment", () => {
    const text = [
      "/**",
      " * A CPF has eleven digits, e.g. `11144477735`, the last",
      " * two of them computed. Source: Receita Federal.",
      " * @rule DOC-01",
      " */",
      "export const parseCpf = 1"
    ].join("\n")
    assert.deepStrictEqual(parseRules({ path: "Cpf.ts", text }), {
      rules: [{
        id: "DOC-01",
        sentence: "A CPF has eleven digits, e.g. `11144477735`, the last two of them computed.",
        source: "Receita Federal.",
        file: "Cpf.ts"
      }],
      problems: []
    })
  })

  it.each([
    ["/** A rule. @rule DOC-1 */\nexport const a = 1", `a.ts: "@rule DOC-1" must have an id such as DOC-01`],
    ["/** A rule. @rule */\nexport const a = 1", `a.ts: "@rule " must have an id such as DOC-01`],
    ["/** A rule. @rule DOC-01 */\nconst a = 1", "a.ts: DOC-01 must be on an exported declaration"],
    ["/** @rule DOC-01 */\nexport const a = 1", "a.ts: DOC-01 has no sentence that states the rule"]
  ])("reports the problem in %j", (text, problem) => {
    assert.deepStrictEqual(parseRules({ path: "a.ts", text }), { rules: [], problems: [problem] })
  })
})

describe("parseTestNames", () => {
  it("finds names that start with one or several ids, including generated names", () => {
    const text = [
      `it("DOC-01 takes eleven digits", () => {})`,
      `it.effect(\n  "T10 T11 keeps \\"the\\" tree", f)`,
      "it(`T01, T04 ${operation} of a sibling`, f)",
      `const cases = [["DOC-02 hides six digits", 1]]`,
      `assert.equal("see DOC-03 ", "DOC-04")`
    ].join("\n")
    assert.deepStrictEqual(
      parseTestNames({ path: "a", text }).map(({ id, isArgument, name }) => [id, name, isArgument]),
      [
        ["DOC-01", "takes eleven digits", true],
        ["T10", `keeps \\"the\\" tree`, true],
        ["T11", `keeps \\"the\\" tree`, true],
        ["T01", "… of a sibling", true],
        ["T04", "… of a sibling", true],
        ["DOC-02", "hides six digits", false]
      ]
    )
  })
})

describe("findProblems", () => {
  it("returns nothing if every rule and every threat has a test", () => {
    assert.deepStrictEqual(findProblems([rule], threats, [named, { ...named, id: "T07" }]), [])
  })

  it("reports a rule or threat without a test, a duplicate id, and a test with an unknown id", () => {
    assert.deepStrictEqual(findProblems([rule], {}, []), ["Cpf.ts: no test name starts with DOC-01"])
    assert.deepStrictEqual(findProblems([], threats, []), ["no test name starts with T07: A token lives too long"])
    assert.deepStrictEqual(findProblems([rule, { ...rule, file: "Cnpj.ts" }], {}, [named]), [
      "Cnpj.ts: DOC-01 is already used in Cpf.ts"
    ])
    assert.deepStrictEqual(findProblems([], {}, [named]), [
      `Cpf.test.ts: the test "takes eleven digits" starts with the unknown id DOC-01`
    ])
  })

  it("reports a rule that follows from a law without its source", () => {
    const legal = { ...rule, id: "POLICY-08", file: "Policy.ts" }
    const test = { ...named, id: "POLICY-08" }
    assert.deepStrictEqual(findProblems([{ ...legal, source: "Lei 8.036/1990, art. 20-D, § 3º." }], {}, [test]), [])
    assert.deepStrictEqual(findProblems([legal], {}, [test]), [
      "Policy.ts: the doc comment of POLICY-08 must name the law in a paragraph that begins with Source:"
    ])
  })

  it("ignores an unknown id in a string that is not an argument", () => {
    assert.deepStrictEqual(findProblems([], {}, [{ ...named, id: "UTF-16", isArgument: false }]), [])
  })
})

describe("the pages", () => {
  it("lists every rule by id, below the folders of its area", () => {
    const other = { ...rule, id: "DOC-02", sentence: "One | two.", file: "values/Cnpj.ts" }
    assert.include(
      rulesPage([other, { ...rule, file: "values/Cpf.ts" }]),
      "## DOC\n\nvalues\n\n- DOC-01 A CPF has eleven digits.\n- DOC-02 One | two.\n"
    )
  })

  const page = (...files: ReadonlyArray<string>) =>
    threatsPage(threats, files.map((file) => ({ ...named, id: "T07", file })))

  it("distinguishes tests with the same name by their folders", () => {
    assert.include(page("loan/Cpf.test.ts", "user/cpf.test.ts"), ": loan/Cpf, user/cpf\n")
  })

  it("lists every threat once with each file of its tests", () => {
    const suite = "packages/testkit/src/suites/a.ts"
    assert.include(page("Cpf.test.ts", "Cpf.test.ts", suite), "- **T07** A token lives too long: Cpf, contracts\n")
  })
})
