import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { disbursementOf, type KycValues } from "@lastro/domain/kyc"
import {
  type ExitRefused,
  Lender,
  type LenderUnavailable,
  type LenderUnsupported,
  type SubmissionInvalid
} from "@lastro/domain/lender"
import { type Timestamp } from "@lastro/domain/values"
import {
  aCompleteKyc,
  aQuoteRequest,
  aResubmission,
  aSubmission,
  exampleBank,
  exampleProposal as proposal_id
} from "@lastro/testkit"
import { type LenderFault } from "@lastro/testkit/lender-server"
import { Cause, Effect, Exit, Layer, Logger, Redacted, Tracer } from "effect"
import { overHttp } from "./asking.ts"

const digits = "88"
const token = "t0ken-of-the-lender"
const submission = aSubmission(digits)
const kyc: KycValues = aCompleteKyc({
  disbursement_method: "BANK_TRANSFER",
  bank: exampleBank,
  pix: { type: "EVP", key: "7c9e6679-7425-40de-944b-e07fc1f90ae7" }
}).for(submission.customer).build()

/** All personal data and secrets that are sent. */
const said = [
  sandboxCpf(digits),
  kyc.name!,
  kyc.mother_name!,
  kyc.email!,
  kyc.phone!,
  kyc.birth_date!,
  kyc.document!.number!,
  kyc.address!.street!,
  exampleBank.account_number!,
  kyc.pix!.key!,
  token
]

/** Possible responses of a lender. */
const repeating = JSON.stringify({ error: said.join(" ") })
const faults: ReadonlyArray<LenderFault | null> = [
  null,
  { status: 500, body: repeating },
  { status: 422, headers: { "content-type": "application/json", "x-error": said[0]! }, body: repeating },
  {
    status: 422,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      message: said.join(" "),
      fields: [{ field: "name", code: said[1], message: said[0] }, { field: said[0] }]
    })
  },
  { status: 302, headers: { location: `http://127.0.0.1:1/?cpf=${said[0]}` } },
  { status: 200, headers: { "content-type": "application/json" }, body: repeating },
  { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify({ reference: said.join(" ") }) },
  "DROP",
  "HALF"
]

const requested_at = "2026-12-01T15:00:00.000Z" as Timestamp

const written = (value: unknown): string => typeof value === "bigint" ? String(value) : JSON.stringify(value) ?? ""

/** Everything that an exporter writes of a span: name, attributes, events and failure. */
const toldBy = ({ attributes, events, links, name, status }: Tracer.NativeSpan): string =>
  [
    name,
    ...Array.from(attributes, ([key, value]) => `${key}=${written(value)}`),
    ...events.map(([event, , told]) => `${event} ${written(told)}`),
    ...links.map(({ attributes }) => written(attributes)),
    status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
  ].join("\n")

describe("calling a lender", () => {
  it.live("T33 leaves no personal data or secret in spans, logs and failures, for any response", () => {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const lines: Array<string> = []
    const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => {
      lines.push(line)
    })])
    return overHttp(
      Effect.fnUntraced(function*({ calls, injectFaults }) {
        const lender = yield* Lender
        const reference = `lender/${proposal_id}`
        const asking: ReadonlyArray<
          Effect.Effect<unknown, ExitRefused | LenderUnavailable | LenderUnsupported | SubmissionInvalid>
        > = [
          lender.submit({ ...submission, kyc, disbursement: disbursementOf(kyc) }),
          lender.quote(aQuoteRequest(digits)),
          lender.contract(reference),
          lender.resubmit(aResubmission(reference)),
          lender.cancel({ proposal_id, reference, reason: "OTHER", requested_at }),
          lender.refund({ proposal_id, reference, reason: "OTHER", requested_at }),
          lender.signatureLink(reference)
        ]
        const failures: Array<string> = []
        for (const fault of faults) {
          for (const ask of asking) {
            injectFaults(fault)
            const exit = yield* Effect.exit(ask)
            if (Exit.isFailure(exit)) failures.push(Cause.pretty(exit.cause), written(Cause.squash(exit.cause)))
            else if (fault !== null) {
              // The lender refuses a destination: the only answer to an error response.
              assert.deepInclude(exit.value, { status: "DISBURSEMENT_FAILED" })
              failures.push(written(exit.value))
            }
          }
        }
        assert.lengthOf(calls, faults.length * asking.length)
        assert.isTrue(said.slice(0, -1).every((one) => one === kyc.pix!.key || JSON.stringify(calls).includes(one)))
        assert.isAtLeast(spans.length, 2 * calls.length)
        assert.isNotEmpty(failures)
        for (const told of [...spans.map(toldBy), ...lines, ...failures]) {
          for (const one of said) assert.notInclude(told, one)
        }
        assert.isTrue(
          spans.some((span) => toldBy(span).includes(encodeURIComponent(reference))),
          "the reference may be told"
        )
      }),
      { token: Redacted.make(token), breaker: { failures: 1_000, openFor: "1 minute" } }
    ).pipe(Effect.provide(Layer.merge(logs, Layer.succeed(Tracer.Tracer, tracer)), { local: true }))
  })
})
