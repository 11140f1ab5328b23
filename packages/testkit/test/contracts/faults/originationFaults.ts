import {
  ApplicationRepository,
  asOperator,
  type Busy,
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
  {
    fault: "KycSuggestions: suggests what the partner above knows",
    named: /nothing of a sibling's, an ancestor's/,
    suite: (runner) =>
      kycSuggestionsSuite(
        "spoilt",
        spoilt(KycSuggestions, ({ suggest }) =>
          Effect.map(MemoryDatabase, (database) => ({
            suggest: ({ record }) =>
              Effect.flatMap(
                parentOf(database, record.partner_id),
                (partner_id) => suggest(asOperator.inScope({ ...record, partner_id }))
              )
          }))),
        runner,
        options
      )
  },
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
  ),
  {
    fault: "Lender: makes another contract each time it is asked",
    named: /once for each proposal_id/,
    suite: (runner) =>
      lenderSuite(
        "spoilt",
        Layer.provide(
          Layer.effect(
            Lender,
            Effect.map(Lender, (sound) => ({
              ...sound,
              submit: (submission) =>
                Effect.flatMap(freshId, (id) =>
                  sound.submit({ ...submission, proposal_id: id as typeof submission.proposal_id }))
            }))
          ),
          layerSandboxLender({ stepMs: 0 })
        ),
        runner,
        options
      )
  }
]
