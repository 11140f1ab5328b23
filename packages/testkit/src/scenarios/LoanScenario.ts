import { type Job, pollContract, quoteDeadlineMs, recordContract, submitContract } from "@lastro/domain/jobs"
import { Lender } from "@lastro/domain/lender"
import { type Application } from "@lastro/domain/loan"
import {
  acceptOffer,
  cancelApplication,
  renewSignatureLink,
  requoteApplication,
  submitKyc,
  withdrawFromProposal
} from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type ApplicationId, millisOf, type OfferId } from "@lastro/domain/values"
import { Effect, Exit, type Scope } from "effect"
import { freshId } from "../builders/Fresh.ts"
import { type QuotationExample } from "../offer/quotationFor.ts"
import { type HeldQuote, type HeldQuotes, holdQuotes } from "./heldQuotes.ts"
import { type LoanFixture, openLoanFixture, type OriginationStorage } from "./LoanFixture.ts"
import { contractsOf, observe, type ObservedLoan, observeOnly, openLoan } from "./ObservedLoan.ts"
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
    const loan = yield* openLoan(fixture, yield* holdQuotes(fixture), partner)
    return {
      fixture,
      quotes: loan.quotes,
      application_id: loan.application_id,
      application: loan.application,
      step: (step) => runStep(loan, step),
      finish: finish(loan),
      violations: violationsOf(loan),
      observations: () => loan.observations
    }
  })

const answerQuote = (loan: ObservedLoan, held: HeldQuote, answer: QuotationExample | "timeout") => {
  const recording = Effect.andThen(
    loan.quotes.answer(held, answer),
    Effect.sync(() => loan.fixture.jobs.end(held.job))
  )
  return observeOnly(loan, { _tag: "RecordQuote", quote_id: held.request.quote_id }, recording)
}

const runJob = Effect.fnUntraced(function*(loan: ObservedLoan, job: Job) {
  const { jobs } = loan.fixture
  switch (job.kind) {
    case "quote":
      if (yield* loan.quotes.request(job)) return
      yield* observe(loan, { _tag: "RecordQuote", quote_id: job.id }, Effect.succeed(null))
      return jobs.end(job)
    case "patience":
      // The scenario has one `Lender` without a code, so its quotes have no waiting time.
      return jobs.end(job)
    case "contract": {
      const submitting = Effect.provideServiceEffect(submitContract(job.id), Lender, crashingLender)
      const ending = Effect.map(Effect.exit(submitting), (exit) => {
        if (Exit.isSuccess(exit)) jobs.end(job)
      })
      return yield* observeOnly(loan, { _tag: "RecordContract", is_earlier_payment: false }, ending)
    }
  }
})

/**
 * The lender of the fixture. An unanswered call crashes the job, because the job would otherwise retry forever. The
 * scenario can run a crashed job again.
 */
const crashingLender = Effect.map(Lender, (lender) =>
  Lender.of({
    ...lender,
    submit: (submission) => Effect.catchTag(lender.submit(submission), "LenderUnavailable", () => Effect.interrupt),
    cancel: (cancellation) => Effect.catch(lender.cancel(cancellation), () => Effect.interrupt),
    resubmit: (resubmission) => Effect.catch(lender.resubmit(resubmission), () => Effect.interrupt),
    refund: (request) => Effect.catch(lender.refund(request), () => Effect.interrupt),
    signatureLink: (reference) => Effect.catch(lender.signatureLink(reference), () => Effect.interrupt)
  }))

/** Changes the status of the contract at the lender, and records it in the application. */
const moveContract = Effect.fnUntraced(
  function*(loan: ObservedLoan, { attempt, is_pushed, status }: ScenarioStep & { readonly _tag: "MoveContract" }) {
    const { lender } = loan.fixture
    const [existing] = yield* contractsOf(loan)
    if (existing === undefined) return
    const { contract, proposal_id } = existing
    const is_earlier_payment = attempt !== null && attempt < contract.disbursement_attempt
    yield* lender.moveContract(proposal_id, status, is_earlier_payment ? { disbursement_attempt: attempt } : {})
    const moved = (yield* lender.contracts).find((contract) => contract.proposal_id === proposal_id)?.contract ??
      contract
    const recording = is_pushed
      ? Effect.asVoid(recordContract(yield* loan.application, moved))
      : pollContract(proposal_id)
    yield* observeOnly(loan, { _tag: "RecordContract", is_earlier_payment }, recording)
    // The contract gets its own status back, which belongs to the last payment.
    if (is_earlier_payment) yield* lender.moveContract(proposal_id, contract.status, contract)
  }
)

/** Returns the offer at `index` modulo the number of offers of all quotes. Undefined without any offer. */
const offerAt = ({ application }: ObservedLoan, index: number) =>
  Effect.map(application, ({ quotes }) => itemAt(quotes.flatMap(({ offers }) => offers), index))

const proposalIdOf = ({ application }: ObservedLoan) => Effect.map(application, ({ proposal }) => proposal?.proposal_id)

const runStep = Effect.fnUntraced(function*(loan: ObservedLoan, step: ScenarioStep) {
  const { application_id, customer, fixture: { allowed, clock, jobs, lender } } = loan
  switch (step._tag) {
    case "Requote": {
      const requoting = requoteApplication(allowed, application_id, { max_installments: step.max_installments })
      const response = Effect.map(
        requoting,
        ({ answer: { quote: { quote_id } } }) => ({ _tag: "Quoting" as const, application_id, quote_id })
      )
      return yield* observe(loan, { _tag: "Requote" }, response)
    }
    case "SubmitKyc": {
      const command: ObservedCommand = { _tag: "SubmitKyc", is_account_only: step.kyc.fields === "account" }
      return yield* observeOnly(loan, command, submitKyc(allowed, application_id, kycBodyOf(customer, step.kyc)))
    }
    case "AcceptOffer": {
      const offer_id = (yield* offerAt(loan, step.offer))?.offer_id ?? ((yield* freshId) as OfferId)
      const { terms_accepted } = step
      const accepting = acceptOffer(allowed, application_id, offer_id, { terms_accepted })
      const response = Effect.map(accepting, ({ answer }) => ({ _tag: "Accepted" as const, answer }))
      return yield* observe(loan, { _tag: "AcceptOffer", offer_id, terms_accepted }, response)
    }
    case "CancelApplication": {
      const cancelling = cancelApplication(allowed, application_id, { reason: step.reason })
      return yield* observeOnly(loan, { _tag: "CancelApplication" }, cancelling)
    }
    case "Withdraw": {
      const proposal_id = yield* proposalIdOf(loan)
      if (proposal_id === undefined) return
      const withdrawing = withdrawFromProposal(allowed, proposal_id, { reason: "CUSTOMER_REQUEST" })
      return yield* observeOnly(loan, { _tag: "WithdrawFromProposal" }, withdrawing)
    }
    case "RenewSignatureLink": {
      const proposal_id = yield* proposalIdOf(loan)
      if (proposal_id === undefined) return
      return yield* observeOnly(
        loan,
        { _tag: "RenewSignatureLink" },
        renewSignatureLink(allowed, proposal_id, undefined)
      )
    }
    case "RunJob": {
      const job = itemAt(jobs.all(), step.job)
      yield* lender.setActions(step.lender)
      return job === undefined ? undefined : yield* runJob(loan, job)
    }
    case "AnswerQuote": {
      const held = itemAt(loan.quotes.all(), step.request)
      if (held === undefined) return
      if (step.answer === "crash") return yield* loan.quotes.crash(held)
      // After the deadline of the quote, the job does not retry.
      const deadline = millisOf(held.request.requested_at) + quoteDeadlineMs
      if (step.answer === "timeout") clock.set(Math.max(clock.get(), deadline))
      return yield* answerQuote(loan, held, step.answer)
    }
    case "MoveContract":
      return yield* moveContract(loan, step)
    case "Wait":
      return clock.set(clock.get() + step.ms)
    case "GoToExpiry": {
      const offer = yield* offerAt(loan, step.offer)
      return offer === undefined ? undefined : clock.set(millisOf(offer.expires_at) + step.offset_ms)
    }
  }
})

const finish = Effect.fnUntraced(function*(loan: ObservedLoan) {
  const { fixture: { jobs, lender }, quotes } = loan
  for (const held of quotes.all()) yield* quotes.crash(held)
  yield* lender.setActions("done")
  for (const job of jobs.pending()) {
    yield* runJob(loan, job)
    for (const held of quotes.all()) yield* answerQuote(loan, held, typicalAnswer)
  }
})

const violationsOf = Effect.fnUntraced(function*(loan: ObservedLoan) {
  const { fixture: { jobs, lender }, observations } = loan
  return findViolations({
    application: yield* loan.application,
    observations,
    audit: null,
    contracts: yield* contractsOf(loan),
    submissions: (yield* lender.calls).flatMap((call) => call._tag === "Submit" ? [call.submission] : []),
    responses: observations.flatMap(({ response }) => response === null ? [] : [response]),
    pending: jobs.pending()
  })
})

/** Returns the item at `index` modulo the length of the list. Undefined for an empty list. */
const itemAt = <A>(items: ReadonlyArray<A>, index: number): A | undefined => items[index % Math.max(1, items.length)]
