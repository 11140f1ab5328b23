import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { type Job, jobStarted, pollContract, runJob } from "@lastro/domain/jobs"
import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type ProposalId, timestampOf } from "@lastro/domain/values"
import {
  aCustomer,
  layerMemoryByHand,
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeRootPartner,
  submitExampleKyc
} from "@lastro/testkit"
import { type LenderFault, type RecordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, Fiber, Layer, Logger, Option } from "effect"
import { overHttp } from "./asking.ts"

/** Runs a test with in-memory ports and a lender over HTTP with a short timeout. */
const originating = <A, E, R>(
  test: (server: RecordingLenderServer) => Effect.Effect<A, E, R>,
  { faults = [], stepMs = 0 }: { readonly faults?: ReadonlyArray<LenderFault>; readonly stepMs?: number } = {}
) =>
  overHttp(test, { timeout: faults.includes("SILENCE") ? "1 second" : "20 seconds", stepMs }).pipe(
    Effect.provide(Layer.merge(layerMemoryByHand, Logger.layer([])), { local: true })
  )

/** Runs a job until the lender has answered, and sleeps before each retry. */
const runUntilAnswered = Effect.fnUntraced(function*(job: Job) {
  for (let progress = jobStarted;;) {
    const outcome = yield* runJob(job, progress)
    if (outcome._tag !== "RETRY") return outcome
    yield* Effect.sleep(outcome.after_ms)
    progress = outcome.progress
  }
})

const submitContract = (id: ProposalId) => runUntilAnswered({ kind: "contract", id })

/** Creates an accepted application for a customer whose CPF ends in these digits. */
const contractFor = Effect.fnUntraced(function*(digits: string) {
  const root = yield* storeRootPartner()
  const application = yield* storeContractedApplication(root, {
    customer: yield* aCustomer({ cpf: sandboxCpf(digits) })
  })
  return { application, proposal_id: application.proposal!.proposal_id }
})

/** Reads the current state of an application. */
const present = Effect.fnUntraced(function*({ proposal }: Application) {
  const found = yield* (yield* ApplicationRepository).ofProposal(proposal!.proposal_id)
  return Option.getOrThrow(found)
})

const statusOf = (application: Application) => Effect.map(present(application), ({ proposal }) => proposal?.status)

/** Ways to lose a response, before or after the lender has acted. */
const losses: Readonly<Record<string, ReadonlyArray<LenderFault>>> = {
  "the connection ends before the answer": ["LOSE"],
  "half of the answer comes": ["HALF"],
  "it is lost time and again": ["LOSE", "HALF", "LOSE"],
  "the lender never answers": ["SILENCE"],
  "the connection ends before the lender does anything": ["DROP", "DROP"],
  "a proxy answers instead": [{ status: 502, body: "<html>Bad Gateway</html>" }, { status: 200, body: "<html>" }]
}

const waitFor = (reached: () => boolean) =>
  Effect.repeat(Effect.sleep("5 millis"), { while: () => !reached(), times: 2_000 })

describe.concurrent("a lender whose answers get lost", () => {
  for (const [what, faults] of Object.entries(losses)) {
    it.live(`T47 creates exactly one contract: ${what}`, () =>
      originating(
        Effect.fnUntraced(function*({ calls, contracts, injectFaults }) {
          const { application, proposal_id } = yield* contractFor("00")
          injectFaults(...faults)
          yield* submitContract(proposal_id)
          assert.lengthOf(calls, faults.length + 1)
          assert.deepStrictEqual(
            new Set(calls.map(({ headers }) => headers["idempotency-key"])),
            new Set([proposal_id])
          )
          assert.lengthOf(contracts(), 1)
          assert.deepInclude(contracts()[0], { proposal_id, reference: `lender/${proposal_id}`, payments: [1] })
          assert.strictEqual(yield* statusOf(application), "PAID")
        }),
        { faults }
      ))

    it.live(`T47 makes exactly one further payment: ${what}`, () =>
      originating(
        Effect.fnUntraced(function*({ contracts, injectFaults }) {
          const { application, proposal_id } = yield* contractFor("88")
          yield* submitContract(proposal_id)
          const failed = yield* present(application)
          assert.strictEqual(failed.proposal?.status, "DISBURSEMENT_FAILED")
          yield* saveApplication(failed, submitExampleKyc(failed))
          injectFaults(...faults)
          yield* submitContract(proposal_id)
          assert.deepStrictEqual(contracts().map(({ payments }) => payments), [[1, 2]])
          assert.strictEqual(yield* statusOf(application), "PAID")
        }),
        { faults }
      ))
  }

  it.live("T47 a crash before the response is recorded leaves one contract, which the next node records", () =>
    originating(Effect.fnUntraced(function*({ calls, contracts, injectFaults }) {
      const { application, proposal_id } = yield* contractFor("00")
      injectFaults("LOSE")
      const dying = yield* Effect.forkChild(submitContract(proposal_id), { startImmediately: true })
      yield* waitFor(() => contracts().length > 0)
      yield* Fiber.interrupt(dying)
      assert.strictEqual(yield* statusOf(application), "SUBMITTING")
      yield* submitContract(proposal_id)
      assert.lengthOf(calls, 2)
      assert.lengthOf(contracts(), 1)
      assert.strictEqual(yield* statusOf(application), "PAID")
    })))

  it.live("T47 two nodes that submit the same contract create one", () =>
    originating(Effect.fnUntraced(function*({ contracts, injectFaults }) {
      const { application, proposal_id } = yield* contractFor("00")
      injectFaults("LOSE", "HALF")
      yield* Effect.all([submitContract(proposal_id), submitContract(proposal_id)], { concurrency: 2 })
      assert.lengthOf(contracts(), 1)
      assert.strictEqual(yield* statusOf(application), "PAID")
    })))

  it.live("T47 a failed poll of a contract is made up for by the next poll", () =>
    originating(
      Effect.fnUntraced(function*({ injectFaults }) {
        const { application, proposal_id } = yield* contractFor("00")
        yield* submitContract(proposal_id)
        const before = yield* statusOf(application)
        injectFaults("LOSE")
        yield* pollContract(proposal_id)
        assert.strictEqual(yield* statusOf(application), before)
        yield* Effect.repeat(pollContract(proposal_id), {
          until: () => Effect.map(statusOf(application), (status) => status === "PAID")
        })
      }),
      { stepMs: 200 }
    ))

  it.live("a quote whose response is lost is tried at most three times", () =>
    originating(Effect.fnUntraced(function*({ calls, injectFaults }) {
      const customer = yield* aCustomer({ cpf: sandboxCpf("00") })
      const { quotes } = yield* storeApplication(yield* storeRootPartner(), { customer, at: timestampOf(Date.now()) })
      const [{ quote_id }] = quotes
      const outcome = Effect.gen(function*() {
        const found = yield* (yield* ApplicationRepository).ofQuote(quote_id)
        return Option.getOrThrow(found).quotes[0]
      })
      injectFaults("LOSE", { status: 503 })
      yield* runUntilAnswered({ kind: "quote", id: quote_id })
      assert.deepInclude(yield* outcome, { outcome: "COMPLETED" })
      assert.deepStrictEqual(calls.map(({ body }) => (body as { readonly attempt: number }).attempt), [1, 2, 3])
    })))
})
