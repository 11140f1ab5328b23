import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { type Customer } from "@lastro/domain/kyc"
import { type Application, recordingTime } from "@lastro/domain/loan"
import { ApplicationRepository, createApplication } from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type ApplicationId, type Timestamp, timestampOf } from "@lastro/domain/values"
import { Effect } from "effect"
import { aCustomer } from "../builders/aCustomer.ts"
import { type HeldQuotes } from "./heldQuotes.ts"
import { type LoanFixture, type OriginationPorts } from "./LoanFixture.ts"
import { type Observation, type ObservedCommand } from "./oracle/Evidence.ts"

/** The application of a scenario, with the commands observed so far. */
export interface ObservedLoan {
  readonly fixture: LoanFixture
  readonly quotes: HeldQuotes
  readonly customer: Customer
  readonly application_id: ApplicationId
  readonly application: Effect.Effect<Application>
  readonly observations: Array<Observation>
}

const nowOf = ({ clock }: LoanFixture): Timestamp => timestampOf(clock.get())

/** Opens an application, and observes its opening. */
export const openLoan = Effect.fnUntraced(function*(fixture: LoanFixture, quotes: HeldQuotes, partner: PartnerDetail) {
  const customer = yield* aCustomer()
  const { birth_date, cpf, name } = customer
  const body = { external_id: "scenario", customer: { cpf, birth_date, name } }
  const opened = yield* Effect.orDie(fixture.run(createApplication(fixture.allowed, body)))
  const { application_id, quote: { quote_id } } = opened.answer
  const application = Effect.gen(function*() {
    const applications = yield* ApplicationRepository
    const found = yield* applications.find(asOperator.scope(partner.partner_id), application_id)
    return (yield* Effect.fromResult(judgeFound(found))).record
  }).pipe(Effect.orDie, fixture.run)
  const opening: Observation = {
    at: nowOf(fixture),
    command: { _tag: "Open" },
    outcome: "done",
    response: { _tag: "Quoting", application_id, quote_id },
    before: null,
    after: yield* application
  }
  return { fixture, quotes, customer, application_id, application, observations: [opening] }
})

/** Runs a command, and observes it, with the application before and after it. */
export const observe = <E extends { readonly _tag: string }>(
  { application, fixture, observations }: ObservedLoan,
  command: ObservedCommand,
  effect: Effect.Effect<Observation["response"], E, OriginationPorts>
) =>
  Effect.gen(function*() {
    const before = yield* application
    const at = recordingTime(before, nowOf(fixture))
    const { outcome, response } = yield* Effect.match(fixture.run(effect), {
      onFailure: ({ _tag }) => ({ outcome: _tag as string, response: null }),
      onSuccess: (response) => ({ outcome: "done", response })
    })
    observations.push({ at, command, outcome, response, before, after: yield* application })
  })

/** Observes a command whose response the oracle does not check. */
export const observeOnly = <E extends { readonly _tag: string }>(
  loan: ObservedLoan,
  command: ObservedCommand,
  effect: Effect.Effect<unknown, E, OriginationPorts>
) => observe(loan, command, Effect.as(effect, null))

export const contractsOf = ({ application_id, fixture }: ObservedLoan) =>
  Effect.map(
    fixture.lender.contracts,
    (contracts) => contracts.filter((contract) => contract.application_id === application_id)
  )
