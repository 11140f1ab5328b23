import { assert, describe, it } from "@effect/vitest"
import { contractedApplication } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { type Application } from "../../src/loan/Application.ts"
import { type LenderContractStatus, lenderContractStatuses } from "../../src/loan/LenderContract.ts"
import { isFinal, isPaidOrFinal, paidAt, paymentOf, type Proposal, ProposalStatus } from "../../src/loan/Proposal.ts"
import { stepsBetween } from "../../src/loan/proposalSteps.ts"
import { centavos } from "../../src/values/Centavos.ts"
import { type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"
import { lenderTransitions } from "../origination/arrows.ts"

const all = ProposalStatus.literals
const status = fc.constantFrom(...all)

/** The statuses of a contract that are statuses of its proposal, too. */
const isShared = (status: LenderContractStatus): status is Exclude<LenderContractStatus, "IN_ANALYSIS"> =>
  status !== "IN_ANALYSIS"
const lenderStatus = fc.constantFrom(...lenderContractStatuses.filter(isShared))

/** The status that each event at the lender leads to. */
const statusAfter: Readonly<Record<string, ProposalStatus>> = {
  SignatureRequested: "AWAITING_SIGNATURE",
  ContractSigned: "GUARANTEE_PENDING",
  GuaranteeConfirmed: "DISBURSING",
  PaymentFailed: "DISBURSEMENT_FAILED",
  PaymentRetried: "DISBURSING",
  CustomerPaid: "PAID",
  RefundNotPaid: "PAID",
  RefundOffered: "REFUND_PENDING",
  ContractRefunded: "REFUNDED",
  PaymentReversed: "REFUNDED",
  ContractCancelled: "CANCELLED",
  ContractRejected: "REJECTED",
  ContractSettled: "SETTLED"
}

/** The statuses between two statuses, by the events that must have happened. */
const proposalPath = (from: ProposalStatus, to: LenderContractStatus): ReadonlyArray<ProposalStatus | undefined> =>
  stepsBetween(from, to).map((step) => statusAfter[step])

/** A contract that is cancelled or rejected after its payment was reversed (FGTS-37). */
const isReversal = (from: ProposalStatus, to: ProposalStatus): boolean =>
  (from === "PAID" || from === "REFUND_PENDING") && (to === "CANCELLED" || to === "REJECTED")

/** All paths between two statuses that visit no status twice. */
const simplePaths = (
  from: ProposalStatus,
  to: ProposalStatus,
  been: ReadonlyArray<ProposalStatus> = []
): ReadonlyArray<ReadonlyArray<ProposalStatus>> =>
  lenderTransitions[from].flatMap((next) =>
    been.includes(next) ? [] : [
      ...(next === to ? [[next]] : []),
      ...simplePaths(next, to, [...been, from]).map((rest) => [next, ...rest])
    ]
  )

describe("proposal statuses", () => {
  it("PROP-01 CANCELLED, REJECTED, REFUNDED and SETTLED are final", () => {
    for (const one of all) {
      assert.strictEqual(isFinal({ status: one }), ["CANCELLED", "REJECTED", "REFUNDED", "SETTLED"].includes(one), one)
      if (!isFinal({ status: one })) continue
      for (const to of lenderContractStatuses) assert.deepStrictEqual(proposalPath(one, to), [])
    }
  })

  it("PROP-06 a proposal that is paid or final requires no further step", () => {
    const done = all.filter((one) => isPaidOrFinal({ status: one }))
    assert.sameMembers(done, ["PAID", "CANCELLED", "REJECTED", "REFUNDED", "SETTLED"])
  })

  it("PROP-03 the path between two statuses is the shortest one in the diagram, or none", () => {
    for (const from of all) {
      for (const to of lenderContractStatuses.filter(isShared)) {
        if (isReversal(from, to)) {
          assert.deepStrictEqual(proposalPath(from, to), ["REFUNDED"])
          continue
        }
        const shortest = from === to
          ? []
          : simplePaths(from, to).toSorted((one, other) => one.length - other.length)[0] ?? []
        assert.deepStrictEqual(proposalPath(from, to), [...shortest], `${from} ${to}`)
      }
    }
  })

  it("PROP-03 no path leads to IN_ANALYSIS, which changes no status", () => {
    for (const from of all) assert.deepStrictEqual(proposalPath(from, "IN_ANALYSIS"), [])
  })

  it("PROP-03 no path leads back, except for a repeated payment and a refund that was not paid", () => {
    fc.assert(fc.property(lenderStatus, lenderStatus, (from, to) => {
      if (proposalPath(from, to).length === 0 || proposalPath(to, from).length === 0 || isReversal(from, to)) return
      assert.includeDeepMembers([["DISBURSEMENT_FAILED", "DISBURSING"], ["PAID", "REFUND_PENDING"]], [
        [from, to].toSorted()
      ])
    }))
  })

  it("PROP-03 two consecutive paths equal the whole path if no payment fails or is refunded between them", () => {
    fc.assert(fc.property(status, lenderStatus, lenderStatus, (from, by, to) => {
      const [first, second] = [proposalPath(from, by), proposalPath(by, to)]
      if (first.length === 0 || second.length === 0) return
      if ([by, from, to].includes("DISBURSEMENT_FAILED") || to === "CANCELLED" || to === "REJECTED") return
      if (from === "REFUND_PENDING" || by === "REFUND_PENDING") return
      assert.deepStrictEqual([...first, ...second], [...proposalPath(from, to)])
    }))
  })

  it("PROP-20 a contract was paid when the lender says, otherwise when it was first recorded as paid", () => {
    const recorded = (one: Application) =>
      one.proposal?.status_history.find(({ status }) => status === "PAID")?.at ?? null
    const seen = new Set<string>()
    fc.assert(
      fc.property(contractedApplication, (one) => {
        const { proposal } = one
        const stated = paymentOf(proposal)?.at ?? null
        assert.strictEqual(paidAt(proposal), stated ?? recorded(one))
        seen.add(`${stated !== null} ${recorded(one) !== null}`)
        if (proposal.status === "PAID") assert.isNotNull(paidAt(proposal))
      }),
      { numRuns: 300 }
    )
    assert.isTrue(seen.has("false false") && seen.has("false true"))
  })

  it("PROP-20 a payment before 2000, or more than a day after the answer, counts from its recording", () => {
    const recorded = timestampOf(Date.UTC(2026, 1, 2))
    const paid = (at: string) => {
      const amount = centavos(100)
      const status_history = [{ status: "PAID" as const, at: recorded, reason: null }]
      const paid = { amount, at: at as Timestamp, end_to_end_id: null }
      const proposal = { status: "PAID" as const, paid }
      return paidAt({ ...fc.sample(contractedApplication, 1)[0]?.proposal, ...proposal, status_history } as Proposal)
    }
    for (const at of ["2000-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", "2026-02-03T00:00:00.000Z"]) {
      assert.strictEqual(paid(at), at)
    }
    for (
      const at of [
        "1900-01-01T00:00:00.000Z",
        "1970-01-01T00:00:00.000Z",
        "1999-12-31T23:59:59.999Z",
        "2026-02-03T00:00:00.001Z",
        "2199-12-31T23:59:59.999Z"
      ]
    ) {
      assert.strictEqual(paid(at), recorded)
    }
  })
})
