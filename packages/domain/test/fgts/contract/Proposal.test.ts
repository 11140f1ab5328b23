import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isFinal, proposalPath, ProposalStatus } from "../../../src/fgts/contract/Proposal.ts"
import { proposalTransitions } from "../../proposal/arrows.ts"

const all = ProposalStatus.literals
const status = fc.constantFrom(...all)

/** All paths between two statuses that visit no status twice. */
const simplePaths = (
  from: ProposalStatus,
  to: ProposalStatus,
  been: ReadonlyArray<ProposalStatus> = []
): ReadonlyArray<ReadonlyArray<ProposalStatus>> =>
  proposalTransitions[from].flatMap((next) =>
    been.includes(next) ? [] : [
      ...(next === to ? [[next]] : []),
      ...simplePaths(next, to, [...been, from]).map((rest) => [next, ...rest])
    ]
  )

describe("proposal statuses", () => {
  it("PROP-01 PAID, CANCELLED and REJECTED are final", () => {
    for (const one of all) {
      assert.strictEqual(isFinal({ status: one }), ["PAID", "CANCELLED", "REJECTED"].includes(one), one)
      if (isFinal({ status: one })) { for (const to of all) assert.deepStrictEqual(proposalPath(one, to), []) }
    }
  })

  it("PROP-03 the path between two statuses is the shortest one in the diagram, or none", () => {
    for (const from of all) {
      for (const to of all) {
        const shortest = from === to
          ? []
          : simplePaths(from, to).toSorted((one, other) => one.length - other.length)[0] ?? []
        assert.deepStrictEqual(proposalPath(from, to), [...shortest], `${from} ${to}`)
      }
    }
  })

  it("PROP-03 no path leads back, except from a failed payment to a repeated one", () => {
    fc.assert(fc.property(status, status, (from, to) => {
      if (proposalPath(from, to).length === 0 || proposalPath(to, from).length === 0) return
      assert.deepStrictEqual([from, to].toSorted(), ["DISBURSEMENT_FAILED", "DISBURSING"])
    }))
  })

  it("PROP-03 two consecutive paths equal the whole path if no payment fails between them", () => {
    fc.assert(fc.property(status, status, status, (from, by, to) => {
      const [first, second] = [proposalPath(from, by), proposalPath(by, to)]
      if (first.length === 0 || second.length === 0) return
      if ([by, from, to].includes("DISBURSEMENT_FAILED") || to === "CANCELLED" || to === "REJECTED") return
      assert.deepStrictEqual([...first, ...second], [...proposalPath(from, to)])
    }))
  })
})
