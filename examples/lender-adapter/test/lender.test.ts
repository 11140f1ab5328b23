import { sandboxCpf } from "@lastro/domain/adapters"
import { aCompleteKyc } from "@lastro/testkit"
import { impossible, type LenderFailure, type LenderFixture, lenderSuite } from "@lastro/testkit/suites"
import { Effect } from "effect"
import * as runner from "node:test"
import { layerBankLender } from "../src/layerBankLender.ts"
import { startFakeBank } from "./FakeBank.ts"

const bank = await startFakeBank()
runner.after(() => bank.close())

/** A customer of the fake bank, which decides by the last two digits of the CPF. */
const customer = (digits: string): LenderFixture => ({ customer: { cpf: sandboxCpf(digits) } })

const person = { cpf: sandboxCpf("00"), birth_date: "1990-08-20" }
const { address } = aCompleteKyc().for(person).build()

/** The KYC fields of a customer who lives at this zipcode. */
const kycWith = (zipcode: string) => ({
  address: aCompleteKyc({ address: address && { ...address, zipcode } }).for(person).build().address
})

/** A loan with a status that the bank does not document. */
const unknownLoan = { id: "1", status: "shredded", sign_at: null, reason: null, payment: 1 }

const failing = (name: string, status: number, text = "", reason: "ASKED" | "FORBIDDEN" = "ASKED"): LenderFailure => ({
  name,
  reason,
  inject: Effect.sync(() => bank.failNext(status, text))
})

const unknownToTheBank = impossible("the bank does not report this reason")
const noRefunds = impossible("the bank makes no refunds")

lenderSuite("example bank", layerBankLender(bank.url), runner, {
  clock: "real",
  outcomes: {
    advance: () => Effect.sync(bank.advance),
    priced: customer("00"),
    partially_priced: customer("14"),
    refused: {
      NO_AUTHORIZATION: customer("10"),
      NO_BALANCE: customer("11"),
      NOT_OPTED_IN: unknownToTheBank,
      OPT_OUT_IN_PROGRESS: unknownToTheBank,
      BIRTH_DATE_MISMATCH: unknownToTheBank,
      OPT_IN_WAITING_PERIOD: unknownToTheBank,
      BIRTHDAY_WINDOW: unknownToTheBank,
      OPERATION_IN_PROGRESS: unknownToTheBank,
      ACCOUNT_CHANGES_PENDING: unknownToTheBank,
      EXISTING_CONTRACT: unknownToTheBank,
      NO_FGTS_ACCOUNT: unknownToTheBank,
      BELOW_MINIMUM_INSTALLMENT: unknownToTheBank,
      BELOW_MINIMUM_AMOUNT: unknownToTheBank,
      FEES_EXCEED_PRINCIPAL: unknownToTheBank,
      LENDER_POLICY: unknownToTheBank,
      FRAUD_SUSPECTED: unknownToTheBank
    },
    pending: impossible("the bank answers every quote at once"),
    unavailable: customer("12"),
    throttled: { ...customer("13"), retry_after_ms: 1_000, prepare: Effect.sync(bank.throttleAgain) },
    failing: {
      ...customer("00"),
      failures: [
        failing("status 500", 500, `{"code":"NO_BALANCE","text":"Sem saldo."}`),
        failing("an HTML page", 200, "<html></html>"),
        failing("an unknown status", 200, JSON.stringify(unknownLoan)),
        failing("refused credentials", 401, "", "FORBIDDEN")
      ]
    },
    invalid: { kyc: kycWith("99999999"), corrected: kycWith("01310100"), fields: ["address.zipcode"] },
    in_analysis: impossible("the bank decides at once"),
    paid: customer("00"),
    rejected: customer("01"),
    signature_expired: customer("02"),
    payment_failed: customer("03"),
    destination_refused: impossible("the bank checks a destination only when it pays"),
    settled: impossible("the bank does not report the end of a loan"),
    reversed: impossible("the bank reverses no payment"),
    cancelled: customer("00"),
    cancelled_by_proposal: customer("00"),
    cancelled_before_submission: customer("00"),
    exit_refused: impossible("the bank refuses no cancellation"),
    paid_before_cancellation: impossible("the fake bank pays only when a case moves it"),
    refunded: noRefunds,
    refund_expired: noRefunds,
    signature_link: impossible("the bank renews no signature link"),
    callback: impossible("the bank sends no callbacks")
  }
})
