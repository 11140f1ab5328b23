import { sandboxCpf } from "@lastro/domain/adapters"
import { aCompleteKyc } from "@lastro/testkit"
import { impossible, type LenderFixture, lenderSuite } from "@lastro/testkit/suites"
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
    throttled: { ...customer("13"), prepare: Effect.sync(bank.throttleAgain) },
    invalid: { kyc: kycWith("99999999"), corrected: kycWith("01310100"), fields: ["address.zipcode"] },
    paid: customer("00"),
    rejected: customer("01"),
    signature_expired: customer("02"),
    payment_failed: customer("03"),
    reversed: impossible("the bank reverses no payment"),
    cancelled: customer("00"),
    paid_before_cancellation: impossible("the fake bank pays only when a case moves it"),
    refunded: noRefunds,
    refund_expired: noRefunds,
    signature_link: impossible("the bank renews no signature link"),
    callback: impossible("the bank sends no callbacks")
  }
})
