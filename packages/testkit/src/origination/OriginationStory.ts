import {
  acceptOffer,
  type Application,
  type ApplicationId,
  ApplicationRepository,
  asOperator,
  createApplication,
  judge,
  Lender,
  lookAtContract,
  millisOf,
  type OfferId,
  type PartnerDetail,
  quoteDeadlineMs,
  recordContract,
  recordingTime,
  requoteApplication,
  submitContract,
  submitKyc,
  timestampOf
} from "@lastro/domain"
import { Effect, Exit, type Scope } from "effect"
import { aCustomer } from "../given/aCustomer.ts"
import { freshId } from "../given/Fresh.ts"
import { type Work } from "../memory/Work.ts"
import { brokenInStory } from "./brokenInStory.ts"
import { type BrokenInStory, type Done, type Observation } from "./Observed.ts"
import { type OpenQuestion, type OpenQuestions, openQuestions } from "./openQuestions.ts"
import {
  type OriginationPorts,
  type OriginationStorage,
  type OriginationWorld,
  originationWorld
} from "./OriginationWorld.ts"
import { type Step, usualAnswers } from "./Step.ts"
import { toldBody } from "./toldBody.ts"

/** An application's story, told step by step through the use cases over any storage. */
export interface OriginationStory {
  readonly world: OriginationWorld
  readonly questions: OpenQuestions
  readonly application_id: ApplicationId
  /** The application as it is now. */
  readonly present: Effect.Effect<Application>
  readonly step: (step: Step) => Effect.Effect<void>
  /** Has everything done that was promised; the lender answers now. */
  readonly finish: Effect.Effect<void>
  /** The rules that what happened so far breaks. */
  readonly broken: Effect.Effect<ReadonlyArray<BrokenInStory>>
  /** What happened so far. */
  readonly observations: () => ReadonlyArray<Observation>
}

/** Begins a story at an instant: a root partner's caller opens an application. */
export const originationStory = (
  partner: PartnerDetail,
  millis: number
): Effect.Effect<OriginationStory, never, OriginationStorage | Scope.Scope> =>
  Effect.gen(function*() {
    const world = yield* originationWorld(partner, millis)
    const { allowed, clock, lender, run, work } = world
    const questions = yield* openQuestions(world)
    const observations: Array<Observation> = []
    const now = () => timestampOf(clock.get())

    const customer = yield* aCustomer()
    const { cpf, birth_date, name } = customer
    const body = { external_id: "story", customer: { cpf, birth_date, name } }
    const { application_id, quote } = yield* Effect.orDie(run(createApplication(allowed, body)))
    const present = Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const found = yield* applications.find(asOperator.scope(partner.partner_id), application_id)
      return (yield* Effect.fromResult(judge(found))).record
    }).pipe(Effect.orDie, run)
    observations.push({
      at: now(),
      done: { does: "open" },
      outcome: "done",
      told: { quote_id: quote.quote_id },
      before: null,
      after: yield* present
    })

    const observe = <E extends { readonly _tag: string }>(
      done: Done,
      effect: Effect.Effect<Observation["told"], E, OriginationPorts>
    ) =>
      Effect.gen(function*() {
        const before = yield* present
        const at = recordingTime(before, now())
        const { outcome, told } = yield* Effect.match(run(effect), {
          onFailure: ({ _tag }) => ({ outcome: _tag as string, told: {} }),
          onSuccess: (told) => ({ outcome: "done", told })
        })
        observations.push({ at, done, outcome, told, before, after: yield* present })
      })

    const answer = (question: OpenQuestion, answered: Parameters<typeof questions.answer>[1]) =>
      observe(
        { does: "answer", quote_id: question.request.quote_id },
        Effect.as(Effect.andThen(questions.answer(question, answered), Effect.sync(() => work.end(question.work))), {})
      )

    const begin = (one: Work) =>
      Effect.gen(function*() {
        if (one._tag === "Quote") {
          if (yield* questions.ask(one)) return
          yield* observe({ does: "answer", quote_id: one.quote_id }, Effect.succeed({}))
          return work.end(one)
        }
        // A lender that does not answer would be asked again by and by: the work crashes instead, and is begun anew.
        const crashing = Effect.map(Lender, (lender) =>
          Lender.of({
            ...lender,
            submit: (submission) => Effect.catch(lender.submit(submission), () => Effect.interrupt),
            resubmit: (resubmission) => Effect.catch(lender.resubmit(resubmission), () => Effect.interrupt)
          }))
        const submitting = Effect.exit(Effect.provideServiceEffect(submitContract(one.proposal_id), Lender, crashing))
        const ending = Effect.map(submitting, (exit) => {
          if (Exit.isSuccess(exit)) work.end(one)
          return {}
        })
        yield* observe({ does: "contract", earlier_payment: false }, ending)
      })

    const look = Effect.fnUntraced(function*({ attempt, status, unasked }: Step & { readonly does: "contract" }) {
      const known = (yield* lender.contracts).find((one) => one.application_id === application_id)
      if (known === undefined) return
      const { contract, proposal_id } = known
      const stale = attempt !== null && attempt < contract.disbursement_attempt
      yield* lender.moves(proposal_id, status, stale ? { disbursement_attempt: attempt } : {})
      const told = (yield* lender.contracts).find((one) => one.proposal_id === proposal_id)?.contract ?? contract
      const learning = unasked
        ? Effect.asVoid(recordContract(yield* present, told))
        : lookAtContract(proposal_id)
      yield* observe({ does: "contract", earlier_payment: stale }, Effect.as(learning, {}))
      if (stale) yield* lender.moves(proposal_id, contract.status, contract)
    })

    const step = Effect.fnUntraced(function*(step: Step) {
      switch (step.does) {
        case "requote": {
          const { max_installments } = step
          const requoted = requoteApplication(allowed, application_id, { max_installments })
          return yield* observe({ does: "requote" }, Effect.map(requoted, ({ quote: { quote_id } }) => ({ quote_id })))
        }
        case "kyc": {
          const done: Done = { does: "kyc", where_to_pay_only: step.kyc.tells === "where to pay" }
          return yield* observe(done, Effect.as(submitKyc(allowed, application_id, toldBody(customer, step.kyc)), {}))
        }
        case "accept": {
          const offers = (yield* present).quotes.flatMap(({ offers }) => offers)
          const offer_id = at(offers, step.offer)?.offer_id ?? ((yield* freshId) as OfferId)
          const { terms_accepted } = step
          const accepting = acceptOffer(allowed, application_id, offer_id, { terms_accepted })
          const told = Effect.map(accepting, ({ proposal_id }) => ({ proposal_id }))
          return yield* observe({ does: "accept", offer_id, terms_accepted }, told)
        }
        case "work": {
          const one = at(work.all(), step.work)
          yield* lender.does(step.deed)
          return one === undefined ? undefined : yield* begin(one)
        }
        case "answer": {
          const question = at(questions.open(), step.question)
          if (question === undefined) return
          if (step.answer === "crash") return yield* questions.crash(question)
          // Once the time for a quote is up, the work on it does not ask again.
          const deadline = millisOf(question.request.requested_at) + quoteDeadlineMs
          if (step.answer === "silence") clock.set(Math.max(clock.get(), deadline))
          return yield* answer(question, step.answer)
        }
        case "contract":
          return yield* look(step)
        case "wait":
          return clock.set(clock.get() + step.ms)
        case "expire": {
          const offer = at((yield* present).quotes.flatMap(({ offers }) => offers), step.offer)
          return offer === undefined ? undefined : clock.set(millisOf(offer.expires_at) + step.by)
        }
      }
    })

    const finish = Effect.gen(function*() {
      for (const question of questions.open()) yield* questions.crash(question)
      yield* lender.does("done")
      for (const one of work.pending()) {
        yield* begin(one)
        for (const question of questions.open()) yield* answer(question, usualAnswers)
      }
    })

    const broken = Effect.map(lender.contracts, (contracts) =>
      brokenInStory({
        observations,
        work: work.pending(),
        contracts: contracts.filter((one) => one.application_id === application_id)
      }))
    return { world, questions, application_id, present, step, finish, broken, observations: () => observations }
  })

/** What stands at a place, counted around. */
const at = <A>(all: ReadonlyArray<A>, place: number): A | undefined => all[place % Math.max(1, all.length)]
