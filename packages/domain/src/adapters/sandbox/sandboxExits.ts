import { Option } from "effect"
import { type LenderCancellation, type LenderContractStatus, type LenderRefund } from "../../loan/LenderContract.ts"
import { millisOf, type Timestamp } from "../../values/Timestamp.ts"
import { statusAt } from "./sandboxContract.ts"
import { formatReference, parseReference, type SandboxContract, type SandboxExit } from "./sandboxReference.ts"

/**
 * Adds a cancellation, a refund or a new signature link to the reference of a contract. `isAllowed` gets the status of
 * the contract at the time of the request. If it returns false, the reference stays unchanged.
 */
const afterExit = (
  reference: string,
  { at_ms, kind }: SandboxExit,
  stepMs: number,
  isAllowed: (status: LenderContractStatus, contract: SandboxContract) => boolean
): Option.Option<string> =>
  Option.map(parseReference(reference), (contract) =>
    isAllowed(statusAt(contract, at_ms, stepMs), contract)
      ? formatReference({ ...contract, exit: { kind, at_ms } })
      : reference)

const unpaid: ReadonlySet<LenderContractStatus> = new Set([
  "IN_ANALYSIS",
  "AWAITING_SIGNATURE",
  "GUARANTEE_PENDING",
  "DISBURSING",
  "DISBURSEMENT_FAILED"
])

/**
 * A sandbox contract that is neither paid nor ended is cancelled at the time of the request. In one scenario it is PAID
 * instead. The new reference encodes this time, so equal requests have equal results. Returns none for any other
 * reference.
 * @rule SANDBOX-10
 */
export const sandboxCancellationReference = (
  { reference, requested_at }: Pick<LenderCancellation, "requested_at"> & { readonly reference: string },
  stepMs: number
): Option.Option<string> =>
  afterExit(reference, { kind: "cancel", at_ms: millisOf(requested_at) }, stepMs, (status) => unpaid.has(status))

/**
 * A sandbox contract that is PAID when a refund is requested becomes REFUND_PENDING. One step later it is REFUNDED, or
 * PAID again in one scenario. The new reference encodes the time of the request, so equal requests have equal results.
 * Returns none for any other reference, or if the reference contains no amount.
 * @rule SANDBOX-11
 */
export const sandboxRefundReference = (
  { reference, requested_at }: Pick<LenderRefund, "reference" | "requested_at">,
  stepMs: number
): Option.Option<string> =>
  Option.filter(parseReference(reference), ({ net_amount }) => net_amount !== null).pipe(
    Option.flatMap(() =>
      afterExit(reference, { kind: "refund", at_ms: millisOf(requested_at) }, stepMs, (status, { exit }) =>
        status === "PAID" && (exit?.kind !== "refund" || exit.at_ms < millisOf(requested_at)))
    )
  )

/** Adds a new signature link to the reference of a contract, if the contract is AWAITING_SIGNATURE. */
export const sandboxLinkReference = (reference: string, at: Timestamp, stepMs: number): Option.Option<string> =>
  afterExit(reference, { kind: "link", at_ms: millisOf(at) }, stepMs, (status) => status === "AWAITING_SIGNATURE")
