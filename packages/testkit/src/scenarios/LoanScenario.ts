import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { type Job, pollContract, quoteDeadlineMs, recordContract, submitContract } from "@lastro/domain/jobs"
import { Lender } from "@lastro/domain/lender"
import { type Application, recordingTime } from "@lastro/domain/loan"
import {
  acceptOffer,
  ApplicationRepository,
  cancelApplication,
  createApplication,
  renewSignatureLink,
  requoteApplication,
  submitKyc,
  withdrawFromProposal
} from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type ApplicationId, millisOf, type OfferId, type ProposalId, timestampOf } from "@lastro/domain/values"
import { Effect, Exit, type Scope } from "effect"
import { aCustomer } from "../builders/aCustomer.ts"
import { freshId } from "../builders/Fresh.ts"
import { type HeldQuote, type HeldQuotes, holdQuotes } from "./heldQuotes.ts"
import { type LoanFixture, openLoanFixture, type OriginationPorts, type OriginationStorage } from "./LoanFixture.ts"
import { type Observation, type ObservedCommand } from "./oracle/Evidence.ts"
import { findViolations, type Violation } from "./oracle/findViolations.ts"
import { kycBodyOf, type ScenarioStep, typicalAnswer } from "./ScenarioStep.ts"

/** One application, with any storage. A test drives it step by step through the use cases. */
export interface LoanScenario {
  readonly fixture: LoanFixture
  readonly quotes: HeldQuotes
  readonly application_id: ApplicationId
  /** Reads the application. */
  readonly application: Effect.Effect<Application>
  /** Runs a step. A step that is impossible at that time has no effect. */
  readonly step: (step: ScenarioStep) => Effect.Effect<void>
  /** Runs all pending jobs to their end. The lender answers every call. */
  readonly finish: Effect.Effect<void>
  /** Checks all loan rules against the observations so far. */
  readonly violations: Effect.Effect<ReadonlyArray<Violation>>
  /** Returns the observed commands, oldest first. */
  readonly observations: () => ReadonlyArray<Observation>
}

/** Starts a scenario at an instant. An API client of a root partner opens the application. */
export const startLoanScenario = (
  partner: PartnerDetail,
  millis: number
): Effect.Effect<LoanScenario, never, OriginationStorage | Scope.Scope> =>
  Effect.gen(function*() {
    const fixture = yield* openLoanFixture(partner, millis)
    const { allowed, clock, jobs, lender, run } = fixture
    const quotes = yield* holdQuotes(fixture)
    const observations: Array<Observation> = []
    const now = () => timestampOf(clock.get())

    const customer = yield* aCustomer()
    const { cpf, birth_date, name } = customer
    const body = { external_id: "scenario", customer: { cpf, birth_date, name } }
    const { answer: { application_id, quote } } = yield* Effect.orDie(run(createApplication(allowed, body)))
    const application = Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const found = yield* applications.find(asOperator.scope(partner.partner_id), application_id)
      return (yield* Effect.fromResult(judgeFound(found))).record
    }).pipe(Effect.orDie, run)
    observations.push({
      at: now(),
      command: { _tag: "Open" },
      outcome: "done",
      response: { _tag: "Quoting", application_id, quote_id: quote.quote_id },
      before: null,
      after: yield* application
    })

    const observe = <E extends { readonly _tag: string }>(
      command: ObservedCommand,
      effect: Effect.Effect<Observation["response"], E, OriginationPorts>
    ) =>
      Effect.gen(function*() {
        const before = yield* application
        const at = recordingTime(before, now())
        const { outcome, response } = yield* Effect.match(run(effect), {
          onFailure: ({ _tag }) => ({ outcome: _tag as string, response: null }),
          onSuccess: (response) => ({ outcome: "done", response })
        })
        observations.push({ at, command, outcome, response, before, after: yield* application })
      })

    const answerQuote = (held: HeldQuote, answer: Parameters<typeof quotes.answer>[1]) =>
      observe(
        { _tag: "RecordQuote", quote_id: held.request.quote_id },
        Effect.as(Effect.andThen(quotes.answer(held, answer), Effect.sync(() => jobs.end(held.job))), null)
      )

    const runJob = (job: Job) =>
      Effect.gen(function*() {
        if (job.kind === "quote") {
          if (yield* quotes.request(job)) return
          yield* observe({ _tag: "RecordQuote", quote_id: job.id }, Effect.succeed(null))
          return jobs.end(job)
        }
        // The scenario has one `Lender` without a code, so its quotes have no waiting time.
        if (job.kind === "patience") return jobs.end(job)
        // Without an answer, a job would retry forever. Here it crashes instead, and the scenario can run it again.
        const crashingLender = Effect.map(Lender, (lender) =>
          Lender.of({
            ...lender,
            submit: (submission) =>
              Effect.catchTag(lender.submit(submission), "LenderUnavailable", () => Effect.interrupt),
            cancel: (cancellation) => Effect.catch(lender.cancel(cancellation), () => Effect.interrupt),
            resubmit: (resubmission) => Effect.catch(lender.resubmit(resubmission), () => Effect.interrupt),
            refund: (request) => Effect.catch(lender.refund(request), () => Effect.interrupt),
            signatureLink: (reference) => Effect.catch(lender.signatureLink(reference), () => Effect.interrupt)
          }))
        const submitting = Effect.exit(
          Effect.provideServiceEffect(submitContract(job.id), Lender, crashingLender)
        )
        const ending = Effect.map(submitting, (exit) => {
          if (Exit.isSuccess(exit)) jobs.end(job)
          return null
        })
        yield* observe({ _tag: "RecordContract", is_earlier_payment: false }, ending)
      })

    const moveContract = Effect.fnUntraced(
      function*({ attempt, is_pushed, status }: ScenarioStep & { readonly _tag: "MoveContract" }) {
        const existing = (yield* lender.contracts).find((contract) => contract.application_id === application_id)
        if (existing === undefined) return
        const { contract, proposal_id } = existing
        const is_earlier_payment = attempt !== null && attempt < contract.disbursement_attempt
        yield* lender.moveContract(proposal_id, status, is_earlier_payment ? { disbursement_attempt: attempt } : {})
        const moved = (yield* lender.contracts).find((contract) => contract.proposal_id === proposal_id)?.contract ??
          contract
        const recording = is_pushed
          ? Effect.asVoid(recordContract(yield* application, moved))
          : pollContract(proposal_id)
        yield* observe({ _tag: "RecordContract", is_earlier_payment }, Effect.as(recording, null))
        if (is_earlier_payment) yield* lender.moveContract(proposal_id, contract.status, contract)
      }
    )

    const allOffers = Effect.map(application, ({ quotes }) => quotes.flatMap(({ offers }) => offers))

    /** Runs a command on a proposal. Does nothing without a proposal. */
    const onProposal = <E extends { readonly _tag: string }>(
      _tag: "WithdrawFromProposal" | "RenewSignatureLink",
      command: (proposal_id: ProposalId) => Effect.Effect<unknown, E, OriginationPorts>
    ) =>
      Effect.flatMap(application, ({ proposal }) =>
        proposal === null ? Effect.void : observe({ _tag }, Effect.as(command(proposal.proposal_id), null)))

    const step = Effect.fnUntraced(function*(step: ScenarioStep) {
      switch (step._tag) {
        case "Requote": {
          const { max_installments } = step
          const requoting = requoteApplication(allowed, application_id, { max_installments })
          return yield* observe(
            { _tag: "Requote" },
            Effect.map(
              requoting,
              ({ answer: { quote: { quote_id } } }) => ({ _tag: "Quoting", application_id, quote_id })
            )
          )
        }
        case "SubmitKyc": {
          const command: ObservedCommand = { _tag: "SubmitKyc", is_account_only: step.kyc.fields === "account" }
          const submitting = submitKyc(allowed, application_id, kycBodyOf(customer, step.kyc))
          return yield* observe(command, Effect.as(submitting, null))
        }
        case "AcceptOffer": {
          const offer_id = itemAt(yield* allOffers, step.offer)?.offer_id ?? ((yield* freshId) as OfferId)
          const { terms_accepted } = step
          const accepting = acceptOffer(allowed, application_id, offer_id, { terms_accepted })
          return yield* observe(
            { _tag: "AcceptOffer", offer_id, terms_accepted },
            Effect.map(accepting, ({ answer }) => ({ _tag: "Accepted", answer }))
          )
        }
        case "CancelApplication": {
          const cancelling = cancelApplication(allowed, application_id, { reason: step.reason })
          return yield* observe({ _tag: "CancelApplication" }, Effect.as(cancelling, null))
        }
        case "Withdraw":
          return yield* onProposal("WithdrawFromProposal", (proposal_id) =>
            withdrawFromProposal(allowed, proposal_id, { reason: "CUSTOMER_REQUEST" }))
        case "RenewSignatureLink":
          return yield* onProposal("RenewSignatureLink", (proposal_id) =>
            renewSignatureLink(allowed, proposal_id, undefined))
        case "RunJob": {
          const job = itemAt(jobs.all(), step.job)
          yield* lender.setActions(step.lender)
          return job === undefined ? undefined : yield* runJob(job)
        }
        case "AnswerQuote": {
          const held = itemAt(quotes.all(), step.request)
          if (held === undefined) {
            return
          }
          if (step.answer === "crash") {
            return yield* quotes.crash(held)
          }
          // After the deadline of the quote, the job does not retry.
          const deadline = millisOf(held.request.requested_at) + quoteDeadlineMs
          if (step.answer === "timeout") {
            clock.set(Math.max(clock.get(), deadline))
          }
          return yield* answerQuote(held, step.answer)
        }
        case "MoveContract":
          return yield* moveContract(step)
        case "Wait":
          return clock.set(clock.get() + step.ms)
        case "GoToExpiry": {
          const offer = itemAt(yield* allOffers, step.offer)
          return offer === undefined ? undefined : clock.set(millisOf(offer.expires_at) + step.offset_ms)
        }
      }
    })

    const finish = Effect.gen(function*() {
      for (const held of quotes.all()) {
        yield* quotes.crash(held)
      }
      yield* lender.setActions("done")
      for (const job of jobs.pending()) {
        yield* runJob(job)
        for (const held of quotes.all()) {
          yield* answerQuote(held, typicalAnswer)
        }
      }
    })

    const violations = Effect.gen(function*() {
      return findViolations({
        application: yield* application,
        observations,
        audit: null,
        contracts: (yield* lender.contracts).filter((contract) =>
          contract.application_id === application_id
        ),
        submissions: (yield* lender.calls).flatMap((call) =>
          call._tag === "Submit" ? [call.submission] : []
        ),
        responses: observations.flatMap(({ response }) =>
          response === null ? [] : [response]
        ),
        pending: jobs.pending()
      })
    })

    return {
      fixture,
      quotes,
      application_id,
      application,
      step,
      finish,
      violations,
      observations: () => observations
    }
  })

/** Returns the item at `index` modulo the length of the list. Undefined for an empty list. */
const itemAt = <A>(items: ReadonlyArray<A>, index: number): A | undefined => items[index % Math.max(1, items.length)]
