import {
  ApplicationRepository,
  asOperator,
  type Busy,
  centavos,
  DurableWork,
  KycSuggestions,
  layerSandboxLender,
  Lender,
  ProposalRepository,
  runQuote,
  UnitOfWork
} from "@lastro/domain"
import { freshId, MemoryDatabase } from "@lastro/testkit"
import {
  applicationRepositorySuite,
  durableWorkSuite,
  kycSuggestionsSuite,
  lenderSuite,
  proposalRepositorySuite
} from "@lastro/testkit/contracts"
import { type Context, Effect, Layer } from "effect"
import { type Fault, options, spoilt } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

type Applications = Context.Service.Shape<typeof ApplicationRepository>
type Lenders = Context.Service.Shape<typeof Lender>
type Work = Context.Service.Shape<typeof DurableWork>

const applications = (
  fault: string,
  named: RegExp,
  spoil: (sound: Applications, database: Context.Service.Shape<typeof MemoryDatabase>) => Partial<Applications>
) => ({
  fault: `ApplicationRepository: ${fault}`,
  named,
  suite: (runner) =>
    applicationRepositorySuite(
      "spoilt",
      spoilt(
        ApplicationRepository,
        (sound) => Effect.map(MemoryDatabase, (database) => ({ ...sound, ...spoil(sound, database) }))
      ),
      runner,
      options
    )
} satisfies Fault)

const suggestions = (fault: string, depth: number) => ({
  fault: `KycSuggestions: ${fault}`,
  named: /nothing of a sibling's, an ancestor's/,
  suite: (runner) =>
    kycSuggestionsSuite(
      "spoilt",
      spoilt(KycSuggestions, ({ suggest }) =>
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

const lender = (fault: string, named: RegExp, spoil: (sound: Lenders) => Partial<Lenders>) => ({
  fault: `Lender: ${fault}`,
  named,
  suite: (runner) =>
    lenderSuite(
      "spoilt",
      Layer.provide(
        Layer.effect(Lender, Effect.map(Lender, (sound) => ({ ...sound, ...spoil(sound) }))),
        layerSandboxLender({ stepMs: 0 })
      ),
      runner,
      options
    )
} satisfies Fault)

const work = (fault: string, named: RegExp, spoil: (sound: Work) => Effect.Effect<Work, never, QuotePorts>) => ({
  fault: `DurableWork: ${fault}`,
  named,
  suite: (runner) => durableWorkSuite("spoilt", spoilt(DurableWork, spoil), runner, options)
} satisfies Fault)

/** What running a quote needs. */
type QuotePorts = Effect.Services<ReturnType<typeof runQuote>>

/** Runs a quote beside whoever starts it, and outside its transaction. */
const runningBeside = Effect.map(Effect.context<QuotePorts>(), (ports) => {
  const run = Effect.runForkWith(ports)
  return (first: Effect.Effect<void, Busy>, quote: Parameters<typeof runQuote>[0]) =>
    Effect.sync(() => void run(Effect.ignore(Effect.andThen(first, runQuote(quote)))))
})

/** Mistakes of adapters that keep applications, and do what was promised. */
export const originationFaults: ReadonlyArray<Fault> = [
  applications(
    "the search by external id reaches up to the parent of the caller's partner",
    /findByExternalId gives those in scope/,
    ({ findByExternalId }, database) => ({
      findByExternalId: (scope, external_id, limit) =>
        Effect.flatMap(
          parentOf(database, scope.partner_id),
          (top) => findByExternalId(asOperator.scope(top), external_id, limit)
        )
    })
  ),
  applications("contracts are looked at in any order", /longest due first/, ({ dueContracts }) => ({
    dueContracts: (at, limit) => Effect.map(dueContracts(at, limit), (due) => due.toReversed())
  })),
  applications("save forgets the KYC", /save changes .* KYC/, ({ save }) => ({
    save: (before, after) => save(before, { ...after, kyc: before.record.kyc })
  })),
  {
    fault: "ProposalRepository: list reaches up to the parent of the caller's partner",
    named: /list .* outside/,
    suite: (runner) =>
      proposalRepositorySuite(
        "spoilt",
        spoilt(ProposalRepository, ({ find, list }) =>
          Effect.map(MemoryDatabase, (database) => ({
            find,
            list: (scope, query) =>
              Effect.flatMap(parentOf(database, scope.partner_id), (top) => list(asOperator.scope(top), query))
          }))),
        runner,
        options
      )
  },
  applications("find reaches one up, from the fourth level on", /find .* outside/, ({ find }, database) => ({
    find: (scope, id) =>
      Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
  })),
  {
    fault: "ProposalRepository: find reaches one up, from the fourth level on",
    named: /find .* outside/,
    suite: (runner) =>
      proposalRepositorySuite(
        "spoilt",
        spoilt(ProposalRepository, ({ find, list }) =>
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
    fault: "ProposalRepository: a filter by status is ignored beside one by name",
    named: /filters together/,
    suite: (runner) =>
      proposalRepositorySuite(
        "spoilt",
        spoilt(ProposalRepository, ({ find, list }) =>
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
  suggestions("suggests what the partner above knows", 0),
  suggestions("suggests what the partner above knows, from the third level on", 1),
  suggestions("suggests what the partner above knows, from the fourth level on", 2),
  lender("makes another contract each time it is asked", /once for each proposal_id/, ({ submit }) => ({
    submit: (submission) =>
      Effect.flatMap(
        freshId,
        (id) => submit({ ...submission, proposal_id: id as typeof submission.proposal_id })
      )
  })),
  lender("pays a second time and never again", /once for each disbursement_attempt/, ({ resubmit }) => ({
    resubmit: (payment) => resubmit({ ...payment, disbursement_attempt: Math.min(2, payment.disbursement_attempt) })
  })),
  lender("prices whatever was wished for", /policy and the wish/, ({ quote }) => ({
    quote: (request) => quote({ ...request, wish: { max_installments: null, desired_amount: null } })
  })),
  lender("prices by a policy of its own", /policy and the wish/, ({ quote }) => ({
    quote: (request) => quote({ ...request, policy: { ...request.policy, min_installment: centavos(1) } })
  })),
  work(
    "work begins before its transaction commits",
    /before the transaction commits/,
    (sound) => Effect.map(runningBeside, (beside) => ({ ...sound, startQuote: (quote) => beside(Effect.void, quote) }))
  ),
  work(
    "the lender is told twice",
    /once, however often/,
    (sound) =>
      Effect.zipWith(runningBeside, UnitOfWork, (beside, { atomically }) => ({
        ...sound,
        startQuote: (quote) => Effect.andThen(sound.startQuote(quote), beside(atomically(Effect.void), quote))
      }))
  ),
  work(
    "work on contracts is lost",
    /submitted until the lender answers/,
    (sound) => Effect.succeed({ ...sound, startContract: () => Effect.void })
  )
]
