import { assert, describe, it } from "@effect/vitest"
import { type KycValues } from "@lastro/domain/kyc"
import { Lender } from "@lastro/domain/lender"
import { aQuoteRequest, aResubmission, exampleBank } from "@lastro/testkit"
import { Cause, Effect, Exit, Layer, Logger, References, Tracer } from "effect"
import { ask, deliver, offered, overQitech, stateOf, submissionOf } from "./harness.ts"

const written = (value: unknown): string => typeof value === "bigint" ? String(value) : JSON.stringify(value) ?? ""

/** Everything that an exporter writes of a span. */
const toldBy = ({ attributes, events, name, status }: Tracer.NativeSpan): string =>
  [
    name,
    ...Array.from(attributes, ([key, value]) => `${key}=${written(value)}`),
    ...events.map(([event, , told]) => `${event} ${written(told)}`),
    status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
  ].join("\n")

describe("calling QI Tech", () => {
  it.effect("T33 leaves no personal data or secret in spans, logs and failures, for any answer", () => {
    const spans: Array<Tracer.NativeSpan> = []
    const lines: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => {
      lines.push(line)
    })])
    return overQitech(({ simulator }) =>
      Effect.gen(function*() {
        const lender = yield* Lender
        const submission = submissionOf(yield* offered(simulator), {
          disbursement_method: "BANK_TRANSFER",
          bank: exampleBank
        })
        const kyc: KycValues = submission.kyc
        const secrets = [
          aQuoteRequest("00").customer.cpf,
          kyc.name!,
          kyc.mother_name!,
          kyc.email!,
          kyc.phone!,
          kyc.address!.street!,
          exampleBank.account_number!,
          "Professora",
          "the front",
          simulator.apiKey,
          simulator.clientPrivateKey.split("\n")[1]!
        ]
        const repeating = { data: JSON.stringify({ title: "x", description: secrets.join(" "), code: secrets[0] }) }
        const faults = [
          { status: 400, body: repeating },
          { status: 422, body: repeating },
          { status: 500, body: repeating },
          { status: 302, headers: { location: `http://127.0.0.1:1/?${secrets[0]}` }, body: {} },
          { status: 200, body: repeating },
          { status: 200, body: secrets.join(" ") },
          "DROP" as const
        ]
        const told: Array<string> = []
        for (const fault of faults) {
          simulator.injectFaults(/./, fault)
          told.push(written(yield* Effect.exit(ask("00"))))
          simulator.injectFaults(/simulation/, fault)
          const lender_state = stateOf(yield* ask("00"))
          yield* deliver(simulator)
          told.push(written(yield* Effect.exit(ask("00", { lender_state }))))
          for (const path of [/requester/, /upload/, /debt_fgts/]) {
            simulator.injectFaults(path, fault)
            const exit = yield* Effect.exit(lender.submit(submission))
            if (Exit.isFailure(exit)) told.push(Cause.pretty(exit.cause), written(exit.cause))
          }
        }
        const contract = yield* lender.submit(submission)
        told.push(contract.reference)
        simulator.refusePayment("ted_refusal")
        yield* deliver(simulator)
        simulator.injectFaults(/PUT/, ...faults)
        for (const _ of faults) {
          told.push(written(yield* Effect.exit(lender.resubmit(aResubmission(contract.reference)))))
        }
        const output = [...told, ...lines, ...spans.map(toldBy)].join("\n")
        for (const secret of secrets) assert.notInclude(output, secret)
        assert.isAbove(spans.length, 20)
        assert.isNotEmpty(lines)
      }).pipe(
        Effect.withTracer(tracer),
        Effect.provide(Layer.merge(logs, Layer.succeed(References.MinimumLogLevel, "All")))
      )
    )
  })
})
