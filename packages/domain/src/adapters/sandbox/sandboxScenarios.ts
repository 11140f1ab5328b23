import { type LenderContractStatus } from "../../loan/LenderContract.ts"
import { type LoanFee } from "../../offer/PricedOffer.ts"
import { type RejectionCode } from "../../offer/RejectionReason.ts"
import { type Centavos, centavos } from "../../values/Centavos.ts"
import { type Cpf } from "../../values/Cpf.ts"
import { percent } from "../../values/Percent.ts"

/** A rejection by the sandbox lender. */
export interface SandboxRefusal {
  readonly code: RejectionCode
  /** The message of the rejection. `{date}` is replaced by the date of `retry_at`. */
  readonly message: string
}

/** The behaviour of the sandbox lender for a customer. Times are in milliseconds. */
export interface SandboxScenario {
  /** Short description of the outcome, for people. */
  readonly outcome: string
  /**
   * The rejection of the first quotes of an application. `quotes` is the number of rejected quotes. `retry_after_ms` is
   * the time from the request of the quote to `retry_at`, or null without a `retry_at`. Null: no quote is rejected.
   */
  readonly refuses: SandboxRefusal & { readonly quotes: number; readonly retry_after_ms: number | null } | null
  /** The number of unanswered attempts at the start of each quote. */
  readonly silent_attempts: number
  readonly answers_after_ms: number
  /** Time from the request of a quote to the expiry of its offers. Null: the lender sets no expiry. */
  readonly offers_last_ms: number | null
  /** The customer's FGTS balance. Null: it is derived from the CPF. */
  readonly balance: Centavos | null
  /** The fee of the fee table `plus`. */
  readonly plus_fee: LoanFee
  /** True if a contract is IN_ANALYSIS for one step before AWAITING_SIGNATURE. */
  readonly is_analysed: boolean
  /** The name of the scenario within the reference of a contract. `usual` is the course from the signature to PAID. */
  readonly contract_name: string
  /** The statuses that a contract takes after AWAITING_SIGNATURE, in order. */
  readonly contract: ReadonlyArray<SandboxStatus>
  /** The rejection with the last status of `contract`. Null if the contract succeeds. */
  readonly contract_refusal: SandboxRefusal | null
  /** The time for which the lender throttles requests after a quote was requested. */
  readonly throttled_ms: number
  /**
   * The lender answers PENDING to all requests of a quote until `ready_ms` have passed since the first request.
   * `look_ms` is the time from the first answer to its `look_at`. Null: the first answer is the result.
   */
  readonly pending: { readonly ready_ms: number; readonly look_ms: number } | null
  /** True if the lender accepts a submission only with the house number `S/N`. */
  readonly refuses_number: boolean
  /** True if all contracts of CPFs with this ending have the same reference. */
  readonly shares_reference: boolean
  /** True if a contract becomes PAID when its cancellation is requested, instead of CANCELLED. */
  readonly pays_on_cancel: boolean
  /** True if the customer pays back a refund in time. */
  readonly pays_refund: boolean
}

/** A status of a contract after its signature. */
export type SandboxStatus = Exclude<LenderContractStatus, "AWAITING_SIGNATURE" | "IN_ANALYSIS">

/** The scenario of a CPF whose last two digits are not in {@link sandboxScenarios}. */
export const defaultScenario: SandboxScenario = {
  outcome: "three offers; the contract is paid within seconds",
  refuses: null,
  silent_attempts: 0,
  answers_after_ms: 0,
  offers_last_ms: null,
  balance: null,
  plus_fee: { kind: "percent", percent: percent(10) },
  is_analysed: false,
  contract_name: "usual",
  contract: ["GUARANTEE_PENDING", "DISBURSING", "PAID"],
  contract_refusal: null,
  throttled_ms: 0,
  pending: null,
  refuses_number: false,
  shares_reference: false,
  pays_on_cancel: false,
  pays_refund: true
}

const always = Number.POSITIVE_INFINITY

const refusing = (
  code: RejectionCode,
  message: string,
  quotes: number = always,
  retry_after_ms: number | null = null
): Pick<SandboxScenario, "refuses"> => ({ refuses: { code, message, quotes, retry_after_ms } })

const ending = (
  contract: SandboxScenario["contract"],
  code: RejectionCode,
  message: string
): Pick<SandboxScenario, "contract" | "contract_refusal"> => ({ contract, contract_refusal: { code, message } })

/** The entries of {@link sandboxScenarios}, as differences from the default scenario. */
const unusual: Readonly<Record<string, Partial<SandboxScenario> & Pick<SandboxScenario, "outcome">>> = {
  "68": {
    contract_name: "analysed",
    outcome: "contract: IN_ANALYSIS for one step, then paid within seconds",
    is_analysed: true
  },
  "69": {
    contract_name: "settled",
    outcome: "contract: PAID, then SETTLED by the lender one step later; Lastro records both at the same poll",
    contract: ["GUARANTEE_PENDING", "DISBURSING", "DISBURSING", "SETTLED"]
  },
  "70": {
    outcome: "quote: PENDING at the lender for 2 s, then three offers",
    pending: { ready_ms: 2_000, look_ms: 2_000 }
  },
  "71": { outcome: "the lender throttles requests for 2 s, then three offers", throttled_ms: 2_000 },
  "72": {
    outcome: "submission: INVALID with the field address.number, until the house number is S/N",
    refuses_number: true
  },
  "73": {
    contract_name: "refunded",
    outcome:
      "contract: PAID, then REFUNDED by the lender one step later; Lastro records it at the next poll (10 minutes later) or after a callback",
    ...ending(
      ["GUARANTEE_PENDING", "DISBURSING", "PAID", "REFUNDED"],
      "LENDER_POLICY",
      "Operação revertida pela CAIXA após o pagamento."
    )
  },
  "74": {
    contract_name: "refund-unpaid",
    outcome: "contract: a refund is not paid in time, and the contract is PAID again",
    pays_refund: false
  },
  "75": {
    contract_name: "paid-meanwhile",
    outcome: "contract: a cancellation is refused, because the contract was paid meanwhile",
    pays_on_cancel: true
  },
  "76": {
    contract_name: "shared",
    outcome: "contract: PAID, with the same reference as every contract with this ending; a second one is a duplicate",
    shares_reference: true
  },
  "77": {
    outcome: "quote: PENDING at the lender for 60 s, or until a callback; then three offers",
    pending: { ready_ms: 0, look_ms: 60_000 }
  },
  "78": {
    outcome: "two offers; the table plus cannot be priced and is listed in unpriced",
    plus_fee: { kind: "percent", percent: percent(100) }
  },
  "79": {
    outcome: "two instalments: the balance is R$ 600, and a third would be below the minimum",
    balance: centavos(600_00)
  },
  "80": {
    contract_name: "kyc-rejected",
    outcome: "contract: REJECTED with the code KYC_REJECTED",
    ...ending(["REJECTED"], "KYC_REJECTED", "Dados cadastrais recusados na validação.")
  },
  "81": {
    outcome: "BIRTH_DATE_MISMATCH",
    ...refusing("BIRTH_DATE_MISMATCH", "Data de nascimento difere da cadastrada na CAIXA.")
  },
  "82": {
    outcome: "OPT_IN_WAITING_PERIOD, retryable after 90 days",
    ...refusing(
      "OPT_IN_WAITING_PERIOD",
      "Operação não permitida antes de {date}: carência de 90 dias da adesão ao saque-aniversário.",
      always,
      90 * 86_400_000
    )
  },
  "83": {
    outcome: "EXISTING_CONTRACT",
    ...refusing("EXISTING_CONTRACT", "Saque-aniversário do período já cedido em outra operação fiduciária.")
  },
  "84": { outcome: "balance of R$ 150: BELOW_MINIMUM_INSTALLMENT", balance: centavos(150_00) },
  "85": { outcome: "offers expire 2 s after the quote was requested", offers_last_ms: 2_000 },
  "86": {
    contract_name: "policy-rejected",
    outcome: "contract: REJECTED with the code LENDER_POLICY",
    ...ending(["REJECTED"], "LENDER_POLICY", "Proposta recusada pela política de crédito.")
  },
  "87": {
    contract_name: "unsigned",
    outcome: "contract: CANCELLED, because the time to sign has expired",
    ...ending(["CANCELLED"], "SIGNATURE_EXPIRED", "Prazo para a assinatura do contrato expirado.")
  },
  "88": {
    contract_name: "payment-failed",
    outcome: "contract: the first disbursement fails, the next succeeds",
    ...ending(
      ["GUARANTEE_PENDING", "DISBURSING", "DISBURSEMENT_FAILED"],
      "DISBURSEMENT_FAILED",
      "Pagamento devolvido: dados da conta do favorecido não conferem."
    )
  },
  "89": {
    outcome: "NO_BALANCE, retryable from the next 21st",
    ...refusing("NO_BALANCE", "Trabalhador não possui saldo na conta do FGTS.")
  },
  "90": {
    outcome: "OPERATION_IN_PROGRESS; the second quote succeeds",
    ...refusing("OPERATION_IN_PROGRESS", "Existe uma operação fiduciária em andamento. Tente mais tarde.", 1)
  },
  "91": {
    outcome: "NO_AUTHORIZATION; the second quote succeeds, as if the customer had given authorization",
    ...refusing(
      "NO_AUTHORIZATION",
      "Instituição fiduciária não possui autorização do trabalhador para operação fiduciária.",
      1
    )
  },
  "92": {
    outcome: "NOT_OPTED_IN",
    ...refusing("NOT_OPTED_IN", "Trabalhador não possui adesão ao saque-aniversário vigente na data corrente.")
  },
  "93": {
    outcome: "BIRTHDAY_WINDOW, retryable after 3 s; the second quote succeeds",
    ...refusing("BIRTHDAY_WINDOW", "Operação não permitida neste período do mês de aniversário.", 1, 3_000)
  },
  "94": {
    outcome: "OPT_OUT_IN_PROGRESS",
    ...refusing("OPT_OUT_IN_PROGRESS", "Trabalhador possui pedido de retorno ao saque-rescisão em andamento.")
  },
  "95": {
    outcome: "ACCOUNT_CHANGES_PENDING; the second quote succeeds",
    ...refusing(
      "ACCOUNT_CHANGES_PENDING",
      "Mudanças cadastrais ou débitos na conta do FGTS em processamento impedem a contratação.",
      1
    )
  },
  "96": { outcome: "the lender never answers: QUOTE_FAILED within 3 s", silent_attempts: always },
  "97": { outcome: "the lender fails twice, then answers", silent_attempts: 2 },
  "98": { outcome: "the lender answers after 5 s", answers_after_ms: 5_000 }
}

/** The scenarios of the sandbox lender, by the last two digits of the CPF. */
export const sandboxScenarios: ReadonlyMap<string, SandboxScenario> = new Map(
  Object.entries(unusual).map(([digits, row]) => [digits, { ...defaultScenario, ...row }])
)

/** Returns the last two digits of a CPF, which select the scenario. */
export const sandboxDigits = (cpf: Cpf): string => cpf.slice(-2)

/**
 * In the sandbox, the last two digits of the CPF select the scenario.
 * @rule SANDBOX-01
 */
export const sandboxScenario = (digits: string): SandboxScenario => sandboxScenarios.get(digits) ?? defaultScenario

const digitsOfName = new Map([
  ["usual", "00"],
  ...Object.entries(unusual).flatMap(([digits, { contract_name }]) =>
    contract_name === undefined ? [] : [[contract_name, digits] as const]
  )
])

/** Returns the name of the scenario of a contract, for its reference. It reveals no digit of the CPF. */
export const contractName = (digits: string): string => sandboxScenario(digits).contract_name

/**
 * Returns digits that select the scenario with this name. Undefined for an unknown name. In a reference of an earlier
 * version, the name is the digits themselves.
 */
export const contractDigits = (name: string): string | undefined => /^\d\d$/.test(name) ? name : digitsOfName.get(name)
