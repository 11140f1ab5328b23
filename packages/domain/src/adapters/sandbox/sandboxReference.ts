import { Option } from "effect"
import { type Customer } from "../../kyc/KycValues.ts"
import { type ContractSubmission } from "../../loan/LenderContract.ts"
import { type Centavos, centavos } from "../../values/Centavos.ts"
import { millisOf } from "../../values/Timestamp.ts"
import { contractDigits, contractName, sandboxDigits, sandboxScenario } from "./sandboxScenarios.ts"

/**
 * The last request about a contract: a new signature link, a cancellation or a refund. `at_ms` is the time of the
 * request, in milliseconds since 1970-01-01T00:00:00Z.
 */
export interface SandboxExit {
  readonly kind: "link" | "cancel" | "refund"
  readonly at_ms: number
}

/** The state of a sandbox contract. Its reference encodes all of it. */
export interface SandboxContract {
  /** Two digits that select the scenario. They can differ from those of the CPF. */
  readonly digits: string
  readonly proposal_id: string
  /** The time of the acceptance, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly accepted_ms: number
  /** The number of the last payment attempt, from 1. */
  readonly attempt: number
  /** The time at which the current payment attempt was requested, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly payment_ms: number
  /** Null in a reference of an earlier version of Lastro, and in a reference that several contracts share. */
  readonly net_amount: Centavos | null
  readonly exit: SandboxExit | null
}

const prefix = "sandbox"
const shape =
  /^sandbox\.(\d\d|[a-z-]{1,20})\.([0-9a-f-]{36})\.(\d{1,15})\.(\d{1,9})\.(\d{1,15})(?:\.(\d{1,15}))?(?:\.([lcr])(\d{1,15}))?$/

const kinds: Readonly<Record<string, SandboxExit["kind"]>> = { l: "link", c: "cancel", r: "refund" }

/** Formats the reference of a contract. */
export const formatReference = (contract: SandboxContract): string => {
  const { accepted_ms, attempt, digits, exit, net_amount, payment_ms, proposal_id } = contract
  const parts = [prefix, contractName(digits), proposal_id, accepted_ms, attempt, payment_ms]
  if (net_amount !== null) parts.push(net_amount)
  if (exit !== null) parts.push(`${exit.kind[0]}${exit.at_ms}`)
  return parts.join(".")
}

/** Parses the reference of a contract. None if it is not the reference of a sandbox contract. */
export const parseReference = (reference: string): Option.Option<SandboxContract> => {
  const [, name = "", proposal_id, accepted, attempt, payment, net, kind, at] = shape.exec(reference) ?? []
  const digits = contractDigits(name)
  if (digits === undefined || proposal_id === undefined) return Option.none()
  const exit = kinds[kind ?? ""]
  return Option.some({
    digits,
    proposal_id,
    accepted_ms: Number(accepted),
    attempt: Number(attempt),
    payment_ms: Number(payment),
    net_amount: net === undefined ? null : centavos(Number(net)),
    exit: exit === undefined ? null : { kind: exit, at_ms: Number(at) }
  })
}

/** The proposal id in the reference that several contracts share. */
const sharedProposal = "00000000-0000-7000-8000-000000000000"

/**
 * The reference of a sandbox contract encodes its state. It contains the name of the scenario, the id of the proposal,
 * the time of acceptance and the net amount. It also contains the last payment attempt and the last request for a
 * cancellation, refund or signature link, each with its time. It contains no digit of the CPF: the name reveals no more
 * than the statuses of the contract. Equal submissions have equal references. In one scenario, all submissions have the
 * same reference.
 * @rule SANDBOX-05
 */
export const sandboxReference = (
  { accepted_at, customer, net_amount = null, proposal_id }: Pick<ContractSubmission, "accepted_at" | "proposal_id"> & {
    readonly customer: Pick<Customer, "cpf">
    readonly net_amount?: Centavos | null
  }
): string => {
  const digits = sandboxDigits(customer.cpf)
  const shared = sandboxScenario(digits).shares_reference
  const accepted_ms = shared ? 0 : millisOf(accepted_at)
  return formatReference({
    digits,
    proposal_id: shared ? sharedProposal : proposal_id,
    accepted_ms,
    attempt: 1,
    payment_ms: accepted_ms,
    net_amount: shared ? null : net_amount,
    exit: null
  })
}
