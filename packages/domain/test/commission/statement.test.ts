import { assert, describe, it } from "@effect/vitest"
import { aCaller, aCommissionEntry, aPartner, openTestLastro } from "@lastro/testkit"
import { Result } from "effect"
import * as fc from "fast-check"
import { CommissionLedger } from "../../src/commission/CommissionLedger.ts"
import { maxStatementLines, parseStatement, type StatementLine } from "../../src/commission/parseStatement.ts"
import { compareStatement, maxListedDifferences, type StatedContract } from "../../src/commission/Statement.ts"
import { type CalendarDate } from "../../src/values/CalendarDate.ts"
import { centavos, maxCentavos } from "../../src/values/Centavos.ts"

const header = "reference,paid_amount,commission_amount,paid_at"

const problemsOf = (file: unknown): ReadonlyArray<string> => {
  const parsed = parseStatement(file)
  return Result.isFailure(parsed) ? parsed.failure.problems.map(({ code, field }) => `${field} ${code}`) : []
}

const linesOf = (...lines: ReadonlyArray<string>) => Result.getOrThrow(parseStatement([header, ...lines].join("\r\n")))

const line = (reference: string, paid: number, commission: number): StatementLine => ({
  reference,
  paid_amount: centavos(paid),
  commission_amount: centavos(commission)
})

const contract = (
  reference: string | null,
  paid: number | null,
  commission: number,
  in_period = true
): StatedContract => ({
  reference,
  kind: commission < 0 ? "CLAWBACK" : "ACCRUAL",
  paid_amount: paid === null ? null : centavos(paid),
  commission_amount: centavos(commission),
  in_period
})

const shortOf = ({ differences }: ReturnType<typeof compareStatement>) =>
  differences.map(({ expected, field, found, kind, reference }) => `${kind} ${field} ${reference} ${expected} ${found}`)

describe("statements", () => {
  it("COMM-23 a statement has four columns, separated by commas or semicolons, with amounts in reais", () => {
    assert.deepStrictEqual(
      linesOf("C-1,1000.00,125.5,2026-10-05", "", "\"C \"\"2\"\", x\",-3,-0.01,2026-10-05T12:00:00Z"),
      [line("C-1", 100_000, 12_550), line("C \"2\", x", -300, -1)]
    )
    const spreadsheet = "\ufeffreference;paid_amount;commission_amount;paid_at\nC-1;1000,00;125,5;2026-10-05\n"
    assert.deepStrictEqual(Result.getOrThrow(parseStatement(spreadsheet)), [line("C-1", 100_000, 12_550)])
    assert.deepStrictEqual(linesOf(), [])
  })

  it("COMM-23 a problem names the line and the column, and never the value", () => {
    const file = [
      header,
      "C-1,1000.00,125.50,2026-10-05",
      ",1.234,1.000,05/10/2026",
      "C-2,1,2026-10-05",
      "C-3,\"1\"x,1,2026-10-05",
      "C-4,10,-1,2026-10-05",
      "C-5,,1e3,2026-02-30"
    ].join("\n")
    assert.deepStrictEqual(problemsOf(file), [
      "lines[3].reference REQUIRED",
      "lines[3].paid_amount INVALID_FORMAT",
      "lines[3].commission_amount INVALID_FORMAT",
      "lines[3].paid_at INVALID_FORMAT",
      "lines[4] INVALID_FORMAT",
      "lines[5] INVALID_FORMAT",
      "lines[6].commission_amount MISMATCH",
      "lines[7].paid_amount REQUIRED",
      "lines[7].commission_amount INVALID_FORMAT",
      "lines[7].paid_at INVALID_FORMAT"
    ])
    assert.deepStrictEqual(problemsOf("reference,paid_amount"), ["lines[1] INVALID_FORMAT"])
    assert.deepStrictEqual(problemsOf(""), ["lines[1] INVALID_FORMAT"])
    assert.deepStrictEqual(problemsOf({ csv: header }), ["file INVALID_TYPE"])
  })

  it("COMM-23 a file has at most 20 000 lines and 1 MiB, and at most 100 problems are listed", () => {
    const most = Array.from({ length: maxStatementLines }, (_, index) => `${index},1,1,2026-10-05`)
    assert.lengthOf(linesOf(...most), maxStatementLines)
    assert.deepStrictEqual(problemsOf([header, ...most, "x,1,1,2026-10-05"].join("\n")), ["lines TOO_LONG"])
    assert.deepStrictEqual(problemsOf(header + " ".repeat(1024 * 1024)), ["file TOO_LONG"])
    const bad = parseStatement([header, ...Array.from({ length: 300 }, () => "x,1,1,never")].join("\n"))
    assert.isTrue(Result.isFailure(bad) && bad.failure.problems.length === 100 && bad.failure.unlisted === 200)
  })

  it("COMM-24 names missing, different and repeated lines, and payments of the period that no line has", () => {
    const result = compareStatement(
      [
        line("same", 100, 10),
        line("less", 100, 9),
        line("both", 99, 9),
        line("unknown", 100, 10),
        line("same", 100, 10),
        line("unknown", 100, 10),
        line("earlier", 100, 10),
        line("same", -100, -10),
        line("unstated", 77, 10)
      ],
      [
        contract("same", 100, 10),
        contract("less", 100, 10),
        contract("both", 100, 10),
        contract("earlier", 100, 10, false),
        contract("later", 100, 10, false),
        contract("same", -100, -10),
        contract("unstated", null, 10),
        contract("z", 100, 12),
        contract("lost", -100, -11),
        contract("lost", 100, 11),
        contract(null, 100, 5)
      ]
    )
    assert.deepStrictEqual(shortOf(result), [
      "AMOUNT commission_amount less 0.1 0.09",
      "AMOUNT paid_amount both 1 0.99",
      "AMOUNT commission_amount both 0.1 0.09",
      "MISSING_HERE commission_amount unknown null 0.1",
      "DUPLICATE commission_amount same null 0.1",
      "DUPLICATE commission_amount unknown null 0.1",
      "MISSING_THERE commission_amount lost 0.11 null",
      "MISSING_THERE commission_amount lost -0.11 null",
      "MISSING_THERE commission_amount z 0.12 null",
      "MISSING_THERE commission_amount null 0.05 null"
    ])
    assert.deepStrictEqual([result.matched, result.unlisted], [4, 0])
  })

  it("COMM-24 lists absent payments by reference, in whatever order the contracts are read", () => {
    const contracts = [contract("a", 100, 1), contract("b", 100, 2), contract("b", -100, -2), contract(null, 100, 3)]
    for (const read of [contracts, contracts.toReversed()]) {
      assert.deepStrictEqual(shortOf(compareStatement([], read)), [
        "MISSING_THERE commission_amount a 0.01 null",
        "MISSING_THERE commission_amount b 0.02 null",
        "MISSING_THERE commission_amount b -0.02 null",
        "MISSING_THERE commission_amount null 0.03 null"
      ])
    }
  })

  it("COMM-24 adds up contracts with the same reference, and lists at most 1000 differences", () => {
    const two = [contract("one", 100, 10), contract("one", 50, 5)]
    assert.strictEqual(compareStatement([line("one", 150, 15)], two).matched, 1)
    const many = Array.from({ length: maxListedDifferences + 7 }, (_, index) => contract(String(index), 100, 10))
    const { differences, unlisted } = compareStatement([], many)
    assert.deepStrictEqual([differences.length, unlisted], [maxListedDifferences, 7])
    const largest = contract("large", maxCentavos, maxCentavos)
    assert.deepStrictEqual(shortOf(compareStatement([], [largest, largest])), [
      "MISSING_THERE commission_amount large 19999999999999.98 null"
    ])
  })

  it("COMM-24 every line and every contract of the period is counted once, in any order of lines", () => {
    const key = fc.record({ reference: fc.constantFrom("a", "b", "c", "d"), reversed: fc.boolean() })
    const side = fc.array(fc.tuple(key, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })), {
      maxLength: 9
    })
    fc.assert(fc.property(side, side, (stated, stored) => {
      const lines = stated.map(([{ reference, reversed }, paid, commission]) =>
        line(reference, reversed ? -paid : paid, reversed ? -commission : commission)
      )
      const distinct = new Map(stored.map((one) => [`${one[0].reference} ${one[0].reversed}`, one]))
      const contracts = Array.from(
        distinct.values(),
        ([{ reference, reversed }, paid, commission]) =>
          contract(reference, reversed ? -paid : paid, reversed ? -commission : commission, paid > 1)
      )
      const { differences, matched } = compareStatement(lines, contracts)
      const of = (kind: string) => differences.filter((one) => one.kind === kind)
      const differing = new Set(of("AMOUNT").map(({ expected, reference }) => `${reference} ${(expected ?? 0) < 0}`))
      const counted = of("MISSING_HERE").length + of("DUPLICATE").length + differing.size + matched
      assert.strictEqual(counted, lines.length)
      const names = new Set(lines.map(({ paid_amount, reference }) => `${reference} ${paid_amount < 0}`))
      const absent = contracts.filter(({ in_period, kind, reference }) =>
        in_period && !names.has(`${reference} ${kind === "CLAWBACK"}`)
      )
      assert.strictEqual(of("MISSING_THERE").length, absent.length)
      if (names.size === lines.length) {
        const reversed = compareStatement(lines.toReversed(), contracts)
        assert.sameDeepMembers([...reversed.differences], [...differences])
      }
      const own = contracts.map((one) => line(String(one.reference), one.paid_amount ?? 0, one.commission_amount))
      assert.deepStrictEqual(compareStatement(own, contracts), {
        matched: contracts.length,
        differences: [],
        unlisted: 0
      })
    }))
  })

  it("AUTH-32 COMM-25 only a root compares statements, and the same file returns its first result", async () => {
    await using fixture = await openTestLastro()
    const { callerFor, given, lastro } = fixture
    const root = await given(aPartner())
    const child = await given(aPartner({ parent_id: root.partner_id }))
    const caller = await callerFor(aCaller().at(root).inGroup("admin"))
    const below = await callerFor(aCaller().at(child).inGroup("admin"))
    const append = async (path: ReadonlyArray<typeof root>, fields: object) => {
      const entry = Result.getOrThrow(await lastro.run(aCommissionEntry(path, fields)))
      await lastro.run(CommissionLedger.use((ledger) => ledger.append([entry])))
      return entry
    }
    const { proposal_id } = await append([child, root], {})
    await append([root], { proposal_id, amount: centavos(750) })
    const file = `${header}\nC-1,900,20,2026-01-02\nC-2,900,20,2026-01-02\n`
    const query = { period: "2026-01", lender: "sandbox" }
    const compare = async (fields: object = query, text: unknown = file, options = {}) => {
      const answer = await lastro.compareCommissionStatement(caller, text, fields, options)
      return Result.isSuccess(answer) ? answer.success : answer.failure
    }
    assert.strictEqual(
      Result.getOrThrow(Result.flip(await lastro.compareCommissionStatement(below, file, query)))._tag,
      "PermissionDenied"
    )
    const first = await compare()
    assert.deepInclude(first, { matched: 1, unlisted: 0 })
    assert.deepStrictEqual("differences" in first ? first.differences.map(({ kind }) => kind) : [], ["MISSING_HERE"])
    await append([root], { reference: "C-2", happened_on: "2026-01-03" as CalendarDate })
    assert.deepStrictEqual(await compare(), first)
    assert.notDeepEqual(await compare({ ...query, period: "2026-02" }), first)
    assert.notDeepEqual(await compare(query, `${file}\n`), first)
    const refused = await compare({})
    assert.deepStrictEqual("problems" in refused ? refused.problems.map(({ code, field }) => `${field} ${code}`) : [], [
      "query.period REQUIRED",
      "query.lender REQUIRED"
    ])
    const key = { idempotency_key: "statement-1" }
    const once = await compare({ ...query, lender: "other" }, file, key)
    assert.deepStrictEqual(await compare({ ...query, lender: "other" }, file, key), once)
    assert.deepInclude(await compare(query, file, key), { _tag: "IdempotencyKeyReused" })
    const audit = Result.getOrThrow(await lastro.listAudit(caller, { action: "commission_statement.compare" }))
    assert.lengthOf(audit.content, 4)
    assert.deepInclude(audit.content.at(-1)?.after, {
      lender: "sandbox",
      period: "2026-01",
      matched: 1,
      differences: 1
    })
  })
})
