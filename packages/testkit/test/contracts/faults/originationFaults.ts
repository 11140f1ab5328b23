import { layerSandboxLender } from "@lastro/domain/adapters"
import { asOperator } from "@lastro/domain/hierarchy"
import { Lender, LenderUnavailable } from "@lastro/domain/lender"
import { centavos } from "@lastro/domain/money"
import {
  ApplicationRepository,
  DurableWork,
  KycSuggestions,
  runQuote,
  submitContract
} from "@lastro/domain/origination"
import { ProposalRepository } from "@lastro/domain/proposal"
import { millisOf, timestampOf } from "@lastro/domain/time"
import { type Busy, UnitOfWork } from "@lastro/domain/transaction"
import { freshId, MemoryDatabase } from "@lastro/testkit"
import {
  applicationRepositorySuite,
  durableWorkSuite,
  kycSuggestionsSuite,
  lenderSuite,
  proposalRepositorySuite
} from "@lastro/testkit/contracts"
import { type Context, Effect, Layer, Option } from "effect"
import { breakPort, type Fault, options } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

type Applications = Context.Service.Shape<typeof ApplicationRepository>
type Lenders = Context.Service.Shape<typeof Lender>
type Work = Context.Service.Shape<typeof DurableWork>

const applications = (
  fault: string,
  detectedBy: RegExp,
  override: (sound: Applications, database: Context.Service.Shape<typeof MemoryDatabase>) => Partial<Applications>
) => ({
  fault: `ApplicationRepository: ${fault}`,
  detectedBy,
  suite: (runner) =>
    applicationRepositorySuite(
      "broken",
      breakPort(
        ApplicationRepository,
        (sound) => Effect.map(MemoryDatabase, (database) => ({ ...sound, ...override(sound, database) }))
      ),
      runner,
      options
    )
} satisfies Fault)

const suggestions = (fault: string, depth: number) => ({
  fault: `KycSuggestions: ${fault}`,
  detectedBy: /ignores applications of siblings, ancestors/,
  suite: (runner) =>
    kycSuggestionsSuite(
      "broken",
      breakPort(KycSuggestions, ({ suggest }) =>
        Effect.map(MemoryDatabase, (database) => ({
          suggest: ({ record }) =>
            Effect.flatMap(
              parentOf(database, record.partner_id, depth),
              (partner_id) => suggest(asOperator.inScope({ ...record, partner_id }))
            )
        }))),
      runner,
      options
    )
} satisfies Fault)

const suggestionsByCpf = {
  fault: "KycSuggestions: suggest ignores the birth date",
  detectedBy: /KYC-12/,
  suite: (runner) =>
    kycSuggestionsSuite(
      "broken",
      breakPort(KycSuggestions, () =>
        Effect.map(MemoryDatabase, ({ state }) => ({
          suggest: ({ record: { application_id, customer } }) =>
            Effect.map(state, ({ applications }) =>
              Option.fromNullishOr(
                Array.from(applications.values()).findLast(({ application }) =>
                  application.application_id !== application_id && application.customer.cpf === customer.cpf &&
                  application.kyc !== null
                )?.application.kyc
              ))
        }))),
      runner,
      options
    )
} satisfies Fault

const lender = (fault: string, detectedBy: RegExp, override: (sound: Lenders) => Partial<Lenders>) => ({
  fault: `Lender: ${fault}`,
  detectedBy,
  suite: (runner) =>
    lenderSuite(
      "broken",
      Layer.provide(
        Layer.effect(Lender, Effect.map(Lender, (sound) => ({ ...sound, ...override(sound) }))),
        layerSandboxLender()
      ),
      runner,
      options
    )
} satisfies Fault)

const work = (
  fault: string,
  detectedBy: RegExp,
  override: (sound: Work) => Effect.Effect<Work, never, JobPorts>
) => ({
  fault: `DurableWork: ${fault}`,
  detectedBy,
  suite: (runner) => durableWorkSuite("broken", breakPort(DurableWork, override), runner, options)
} satisfies Fault)

/** The ports that `runQuote` and `submitContract` require. */
type JobPorts = Effect.Services<ReturnType<typeof runQuote>>

/** Runs an effect concurrently, outside the transaction that starts it. */
const runConcurrently = Effect.map(Effect.context<JobPorts>(), (ports) => {
  const run = Effect.runForkWith(ports)
  return (job: Effect.Effect<unknown, Busy, JobPorts>) => Effect.sync(() => void run(Effect.ignore(job)))
})

/** Broken adapters of applications, proposals, lenders and durable jobs. */
export const originationFaults: ReadonlyArray<Fault> = [
  applications(
    "holderOfReference finds no proposal",
    /holderOfReference/,
    () => ({ holderOfReference: () => Effect.succeedNone })
  ),
  applications(
    "contractedByCustomer finds no application",
    /contractedByCustomer/,
    () => ({ contractedByCustomer: () => Effect.succeed([]) })
  ),
  applications(
    "findByExternalId includes the parent's subtree",
    /`findByExternalId` returns the applications in scope/,
    ({ findByExternalId }, database) => ({
      findByExternalId: (scope, external_id, limit) =>
        Effect.flatMap(
          parentOf(database, scope.partner_id),
          (top) => findByExternalId(asOperator.scope(top), external_id, limit)
        )
    })
  ),
  applications("save ignores the KYC", /`save` changes only .* KYC/, ({ save }) => ({
    save: (before, after) => save(before, { ...after, kyc: before.record.kyc })
  })),
  {
    fault: "ProposalRepository: list includes the parent's subtree",
    detectedBy: /`list` returns .* outside/,
    suite: (runner) =>
      proposalRepositorySuite(
        "broken",
        breakPort(ProposalRepository, ({ find, list }) =>
          Effect.map(MemoryDatabase, (database) => ({
            find,
            list: (scope, query) =>
              Effect.flatMap(parentOf(database, scope.partner_id), (top) => list(asOperator.scope(top), query))
          }))),
        runner,
        options
      )
  },
  applications(
    "find includes the parent from the fourth level on",
    /`find` .* descendants/,
    ({ find }, database) => ({
      find: (scope, id) =>
        Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
    })
  ),
  {
    fault: "ProposalRepository: find includes the parent from the fourth level on",
    detectedBy: /`find` .* descendants/,
    suite: (runner) =>
      proposalRepositorySuite(
        "broken",
        breakPort(ProposalRepository, ({ find, list }) =>
          Effect.map(MemoryDatabase, (database) => ({
            list,
            find: (scope, id) =>
              Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
          }))),
        runner,
        options
      )
  },
  {
    fault: "ProposalRepository: list ignores the status filter beside a name filter",
    detectedBy: /combined with AND/,
    suite: (runner) =>
      proposalRepositorySuite(
        "broken",
        breakPort(ProposalRepository, ({ find, list }) =>
          Effect.succeed({
            find,
            list: (scope, query) => {
              const { status: _, ...filters } = query.filters
              return list(scope, filters.customer_name === undefined ? query : { ...query, filters })
            }
          })),
        runner,
        options
      )
  },
  suggestionsByCpf,
  suggestions("suggest includes the parent", 0),
  suggestions("suggest includes the parent from the third level on", 1),
  suggestions("suggest includes the parent from the fourth level on", 2),
  lender("submit creates a contract on every call", /one contract per proposal_id/, ({ submit }) => ({
    submit: (submission) =>
      Effect.flatMap(
        freshId,
        (id) => submit({ ...submission, proposal_id: id as typeof submission.proposal_id })
      )
  })),
  lender("resubmit pays a second time only", /once per disbursement_attempt/, ({ resubmit }) => ({
    resubmit: (payment) => resubmit({ ...payment, disbursement_attempt: Math.min(2, payment.disbursement_attempt) })
  })),
  lender("quote ignores the wish", /policy and the limits/, ({ quote }) => ({
    quote: (request) => quote({ ...request, wish: { max_installments: null, desired_amount: null } })
  })),
  lender("quote uses a policy of its own", /policy and the limits/, ({ quote }) => ({
    quote: (request) => quote({ ...request, policy: { ...request.policy, min_installment: centavos(1) } })
  })),
  lender("requirements name the lender in capitals", /`requirements` has a name/, ({ requirements }) => ({
    requirements: { ...requirements, name: "Sandbox" }
  })),
  lender("quote hides a throttled lender behind a failure", /reason THROTTLED/, ({ quote }) => ({
    quote: (request) =>
      Effect.mapError(quote(request), ({ detail }) => new LenderUnavailable({ reason: "ASKED", detail }))
  })),
  lender("quote forgets the state of a PENDING answer", /returns PENDING until/, ({ quote }) => ({
    quote: (request) => quote({ ...request, lender_state: null })
  })),
  lender("quote reports a refusal as an outage", /business reason NOT_OPTED_IN/, ({ quote }) => ({
    quote: (request) =>
      Effect.flatMap(quote(request), (answer) =>
        answer.kind === "REFUSED"
          ? Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "refused" }))
          : Effect.succeed(answer))
  })),
  lender("submit hides INVALID data behind a failure", /SubmissionInvalid for data/, ({ submit }) => ({
    submit: (submission) =>
      Effect.catchTag(
        submit(submission),
        "SubmissionInvalid",
        () => Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "status 422" }))
      )
  })),
  lender("cancel forgets its request", /`cancel` cancels a contract/, ({ contract }) => ({
    cancel: ({ reference }) => reference === null ? Effect.succeed(null) : contract(reference)
  })),
  lender("cancel fails without a contract", /never submitted/, ({ cancel, contract }) => ({
    cancel: (request) => request.reference === null ? contract("unknown/1") : cancel(request)
  })),
  lender("a refund starts again with each call", /`refund` returns how the customer pays/, ({ refund }) => {
    let calls = 0
    return {
      refund: (request) => refund({ ...request, requested_at: timestampOf(millisOf(request.requested_at) + calls++) })
    }
  }),
  lender("a refund that is not paid counts as paid", /returns PAID again/, ({ contract }) => ({
    contract: (reference) =>
      Effect.map(
        contract(reference),
        (state) =>
          reference.includes(".r") && state.status === "PAID" ? { ...state, status: "REFUNDED" as const } : state
      )
  })),
  lender("a reversal is never seen", /after the lender reversed a payment/, ({ contract }) => ({
    contract: (reference) =>
      Effect.map(
        contract(reference),
        (state) => state.status === "REFUNDED" ? { ...state, status: "PAID" as const } : state
      )
  })),
  lender("a new signature link is null", /`signatureLink` returns a link/, ({ signatureLink }) => ({
    signatureLink: (reference) => Effect.map(signatureLink(reference), (state) => ({ ...state, signature_url: null }))
  })),
  lender("an exit is offered but not declared", /`refund` returns how the customer pays/, () => ({
    exits: Effect.succeed({ cancel: true, refund: false, signature_link: true })
  })),
  lender("callback trusts everybody", /refuses a forged callback/, () => ({ callback: () => Effect.succeed([]) })),
  work(
    "a job runs before its transaction commits",
    /before the transaction commits/,
    (sound) => Effect.map(runConcurrently, (run) => ({ ...sound, startQuote: (quote) => run(runQuote(quote)) }))
  ),
  work(
    "a quote job runs twice",
    /one job per quote/,
    (sound) =>
      Effect.zipWith(runConcurrently, UnitOfWork, (run, { atomically }) => ({
        ...sound,
        startQuote: (quote) =>
          Effect.andThen(sound.startQuote(quote), run(Effect.andThen(atomically(Effect.void), runQuote(quote))))
      }))
  ),
  work(
    "makeDue drops the state of a callback",
    /`makeDue` stores the `lender_state` of its target/,
    (sound) =>
      Effect.succeed({
        ...sound,
        makeDue: (target) =>
          sound.makeDue(
            "id" in target
              ? { kind: target.kind, id: target.id } as typeof target
              : { kind: target.kind, callback_key: target.callback_key }
          )
      })
  ),
  work(
    "contract jobs are lost",
    /retries the submission until the lender answers/,
    (sound) => Effect.succeed({ ...sound, startContract: () => Effect.void })
  ),
  work(
    "contract jobs end after the submission",
    /polls the lender until the status of the contract is final/,
    (sound) =>
      Effect.zipWith(runConcurrently, UnitOfWork, (run, { atomically }) => ({
        ...sound,
        startContract: (proposal) => run(Effect.andThen(atomically(Effect.void), submitContract(proposal)))
      }))
  ),
  work(
    "a contract job is started only once",
    /`startContract` again, after a new payment was requested/,
    (sound) =>
      Effect.sync(() => {
        const started = new Set<string>()
        return {
          ...sound,
          startContract: (proposal) =>
            Effect.suspend(() => {
              if (started.has(proposal)) return Effect.void
              started.add(proposal)
              return sound.startContract(proposal)
            })
        }
      })
  )
]
