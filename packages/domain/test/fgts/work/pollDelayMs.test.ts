import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Application } from "../../../src/fgts/application/Application.ts"
import { pollDelayMs } from "../../../src/fgts/work/pollContract.ts"
import { type Timestamp } from "../../../src/time/Timestamp.ts"
import {
  addMillis,
  applyCommands,
  completeKyc,
  contractingApplication,
  noon,
  submitKyc,
  updateContract
} from "../examples.ts"

const minutes = 60_000

/** Milliseconds from a time to the next poll, or null if the contract is not polled. */
const pause = ({ proposal }: Application, at: Timestamp): number | null =>
  proposal === null ? null : pollDelayMs(proposal, at)

const waiting = applyCommands(contractingApplication(), updateContract("AWAITING_SIGNATURE", noon))

describe("pollDelayMs", () => {
  it("LENDER-03 a contract is polled after a tenth of the time since its last change, between 0.1 seconds and 15 minutes", () => {
    for (
      const [since, expected] of [
        [0, 100],
        [999, 100],
        [1_000, 100],
        [10_000, 1_000],
        [10 * minutes, minutes],
        [150 * minutes, 15 * minutes],
        [10_000 * minutes, 15 * minutes],
        [-1_000, 100]
      ] as const
    ) assert.strictEqual(pause(waiting, addMillis(since)), expected)
    fc.assert(fc.property(fc.nat({ max: 100 * 86_400_000 }), (since) => {
      const expected = Math.floor(Math.min(Math.max(since / 10, 100), 15 * minutes))
      assert.strictEqual(pause(waiting, addMillis(since)), expected)
    }))
  })

  it("LENDER-03 polls every submitted contract that is not final, including failed payments", () => {
    const after = (status: Parameters<typeof updateContract>[0]) =>
      applyCommands(contractingApplication(), updateContract(status))
    const looked = [
      contractingApplication(),
      after("AWAITING_SIGNATURE"),
      after("GUARANTEE_PENDING"),
      after("DISBURSING"),
      after("DISBURSEMENT_FAILED"),
      after("PAID"),
      after("CANCELLED"),
      after("REJECTED")
    ].map((application) => pause(application, noon) !== null)
    assert.deepStrictEqual(looked, [false, true, true, true, true, false, false, false])
  })

  it("LENDER-03 a changed signature URL does not increase the poll frequency", () => {
    const signature_url = "https://lender.example/sign/another"
    const retold = applyCommands(
      waiting,
      updateContract("AWAITING_SIGNATURE", addMillis(10 * minutes), { signature_url })
    )
    assert.strictEqual(retold.proposal?.signature_url, signature_url)
    assert.strictEqual(pause(retold, addMillis(10 * minutes)), minutes)
  })

  it("LENDER-03 a repeated payment is polled soon", () => {
    const unpaid = applyCommands(waiting, updateContract("DISBURSEMENT_FAILED", addMillis(1)))
    assert.strictEqual(
      pause(applyCommands(unpaid, submitKyc(completeKyc, addMillis(100 * minutes))), addMillis(100 * minutes)),
      100
    )
  })
})
