import { assert, describe, it } from "@effect/vitest"
import { bankAccount, cpf, pix } from "@lastro/testkit/arbitraries"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { type Disbursement } from "../../src/kyc/Disbursement.ts"
import { proposalDetail, publicDisbursement, PublicProposalDetail } from "../../src/origination/PublicProposalDetail.ts"
import {
  acceptedTerms,
  isContracted,
  proposalListItem,
  PublicProposalListItem
} from "../../src/origination/PublicProposalListItem.ts"
import { maskAccountNumber } from "../../src/values/BankAccount.ts"
import { completeCpf, type Cpf, maskCpf } from "../../src/values/Cpf.ts"
import { maskPix, type PixKey } from "../../src/values/Pix.ts"
import {
  applyCommands,
  completeKyc,
  contractingApplication,
  msAfter,
  noon,
  quotedApplication,
  submitKyc,
  updateContract
} from "../loan/examples.ts"

const unpaid = applyCommands(contractingApplication(), updateContract("DISBURSEMENT_FAILED", msAfter(1)))
const contracted = (application = unpaid) => {
  assert.isTrue(isContracted(application))
  return application as Extract<typeof application, { proposal: object }> & Parameters<typeof proposalListItem>[0]
}

const disbursements: fc.Arbitrary<Disbursement> = fc.oneof(
  pix.map((key): Disbursement => ({ method: "PIX", pix: key, bank: null })),
  bankAccount.map(({ type, ...account }): Disbursement => ({
    method: "BANK_TRANSFER",
    pix: null,
    bank: { ...account, account_type: type }
  }))
)

describe("proposal views", () => {
  it("PROP-04 the disbursement account shows the last four characters of key and account to every caller", () => {
    assert.deepStrictEqual<unknown>(publicDisbursement({ method: "PIX", pix: completeKyc.pix, bank: null }, "full"), {
      method: "PIX",
      pix_key_type: "EMAIL",
      pix_key: "****.com",
      bank_code: null,
      account_type: null,
      agency: null,
      agency_digit: null,
      account_number: null,
      account_digit: null
    })
    assert.deepStrictEqual<unknown>(
      publicDisbursement({ method: "BANK_TRANSFER", pix: null, bank: completeKyc.bank }, "full"),
      {
        method: "BANK_TRANSFER",
        pix_key_type: null,
        pix_key: null,
        bank_code: "341",
        account_type: "CC",
        agency: "0001",
        agency_digit: "7",
        account_number: "****4567",
        account_digit: "*"
      }
    )
    for (const view of ["full", "masked"] as const) {
      assert.deepStrictEqual(proposalDetail(contracted(), view).disbursement.pix_key, "****.com")
    }
  })

  it("PROP-04 no key or account is shown in full, however short", () => {
    fc.assert(
      fc.property(disbursements, fc.constantFrom("full", "masked"), (disbursement, view) => {
        const { account_digit, account_number, pix_key } = publicDisbursement(disbursement, view)
        const whole = disbursement.pix?.key ?? disbursement.bank?.account_number ?? ""
        const shown = pix_key ?? account_number ?? ""
        assert.match(shown, /^\*{4}.{0,4}$/su)
        assert.isTrue(whole.endsWith(shown.slice(4)))
        assert.isBelow(shown.length - 4, Math.max(whole.length, 1))
        assert.include([null, "*"], account_digit)
      }),
      { numRuns: 500 }
    )
  })

  it("KYC-03 the list masks every CPF; the detail masks it without permission to read KYC", () => {
    assert.strictEqual(proposalListItem(contracted()).customer.cpf, "***.982.247-**")
    assert.strictEqual(proposalDetail(contracted(), "masked").customer.cpf, "***.982.247-**")
    assert.strictEqual(proposalDetail(contracted(), "full").customer.cpf, "52998224725")
  })

  it("T63 the visible parts of a masked proposal leave 1 000 candidates for the CPF", () => {
    fc.assert(fc.property(cpf, (own) => {
      // One digit repeated eleven times is no CPF, so six equal middle digits leave 999 candidates.
      fc.pre(!/^\d{3}(\d)\1{5}/.test(own))
      const shown = publicDisbursement({
        method: "PIX",
        pix: { type: "CPF", key: own as string as PixKey },
        bank: null
      }, "masked")
      assert.strictEqual(shown.pix_key, "****")
      const fits = (candidate: Cpf) =>
        maskCpf(candidate) === maskCpf(own) &&
        maskPix({ type: "CPF", key: candidate as string as PixKey }).key === shown.pix_key
      const candidates = Array.from(
        { length: 1000 },
        (_, first) => completeCpf(String(first).padStart(3, "0") + own.slice(3, 9))
      )
      assert.strictEqual(new Set(candidates.filter(fits)).size, 1000)
    }))
  })

  it("T63 a masked account number or PIX key leaves at least 1 000 candidates", () => {
    const numbers = Array.from({ length: 12_000 }, (_, index) => String(index))
    const byMask = Map.groupBy(numbers, maskAccountNumber)
    assert.isAtLeast(byMask.get("****")?.length ?? 0, 1000, "numbers of one to four digits look alike")
    for (const [masked, alike] of byMask) {
      // Up to 16 hidden digits precede the four that are shown.
      if (masked !== "****") assert.isTrue(alike.every((number) => number.length > 4))
    }
  })

  it("shows the accepted offer and the status", () => {
    const terms = acceptedTerms(contracted())
    const detail = proposalDetail(contracted(), "full")
    assert.deepInclude(detail, {
      product: "FGTS",
      status: "DISBURSEMENT_FAILED",
      external_id: "loan-4711",
      created_by: "somebody else",
      created_at: noon,
      updated_at: msAfter(1),
      signature_url: null,
      reference: "contract-1",
      acceptance: { accepted_at: noon, ip: "203.0.*.*", user_agent: "Mozilla/5.0" },
      required_action: null,
      paid: null,
      refund: null
    })
    assert.strictEqual(detail.table.code, "standard")
    assert.strictEqual(detail.rejection?.code, "DISBURSEMENT_FAILED")
    assert.strictEqual(detail.loan.net_amount, terms.net_amount / 100)
    assert.deepInclude(detail.loan, {
      installments_count: 3,
      first_due_date: "2026-05-01",
      last_due_date: "2028-05-01"
    })
    assert.deepStrictEqual(detail.status_history.map(({ status }) => status), [
      "SUBMITTING",
      "AWAITING_SIGNATURE",
      "GUARANTEE_PENDING",
      "DISBURSING",
      "DISBURSEMENT_FAILED"
    ])
    const { customer, ...item } = proposalListItem(contracted())
    assert.strictEqual(customer.name, completeKyc.name)
    assert.deepInclude(detail, item)
  })

  it("list items and details match their schemas", () => {
    const paidAnew = applyCommands(
      unpaid,
      submitKyc({ ...completeKyc, disbursement_method: "BANK_TRANSFER" }, msAfter(2))
    )
    for (const application of [contractingApplication(), unpaid, paidAnew]) {
      const [item, detail] = [
        proposalListItem(contracted(application)),
        proposalDetail(contracted(application), "masked")
      ]
      assert.deepStrictEqual<unknown>(Schema.decodeUnknownResult(PublicProposalListItem)(item), Result.succeed(item))
      assert.deepStrictEqual<unknown>(Schema.decodeUnknownResult(PublicProposalDetail)(detail), Result.succeed(detail))
    }
    assert.isFalse(isContracted(quotedApplication()))
  })
})
