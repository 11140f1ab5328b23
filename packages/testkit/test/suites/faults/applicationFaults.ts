import { asOperator } from "@lastro/domain/hierarchy"
import { ApplicationRepository, KycSuggestions, ProposalRepository } from "@lastro/domain/origination"
import { exampleInstant, MemoryDatabase } from "@lastro/testkit"
import { applicationRepositorySuite, kycSuggestionsSuite, proposalRepositorySuite } from "@lastro/testkit/suites"
import { type Context, Effect, Option, Stream } from "effect"
import { breakPort, type Fault, options } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

type Applications = Context.Service.Shape<typeof ApplicationRepository>

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

/** Broken adapters of applications, proposals and KYC suggestions. */
export const applicationFaults: ReadonlyArray<Fault> = [
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
    "contractedByCustomer omits the contracts of other partners",
    /contractedByCustomer` returns .* anywhere in the same tree/,
    ({ contractedByCustomer }) => ({
      contractedByCustomer: (application) =>
        Effect.map(
          contractedByCustomer(application),
          (others) => others.filter(({ partner_id }) => partner_id === application.record.partner_id)
        )
    })
  ),
  applications(
    "contractedByCustomer omits contracts that have ended",
    /contractedByCustomer` returns .* in any status/,
    ({ contractedByCustomer }) => ({
      contractedByCustomer: (application) =>
        Effect.map(
          contractedByCustomer(application),
          (others) => others.filter(({ proposal }) => proposal?.status !== "CANCELLED")
        )
    })
  ),
  applications(
    "contractedByCustomer includes the application itself",
    /contractedByCustomer` omits the application itself/,
    ({ contractedByCustomer }) => ({
      contractedByCustomer: (application) =>
        Effect.map(contractedByCustomer(application), (others) => [...others, application.record])
    })
  ),
  applications(
    "contractedByCustomer includes the contracts of other trees",
    /contractedByCustomer` omits .* other trees/,
    (_sound, { state }) => ({
      contractedByCustomer: ({ record: { application_id, customer } }) =>
        Effect.map(
          state,
          (now) =>
            Array.from(now.applications.values(), ({ application }) => application).filter((one) =>
              one.application_id !== application_id && one.proposal !== null && one.customer.cpf === customer.cpf
            )
        )
    })
  ),
  applications(
    "list includes the parent's subtree",
    /`list` returns and counts .* none outside/,
    ({ list }, database) => ({
      list: (scope, query) =>
        Effect.flatMap(parentOf(database, scope.partner_id), (top) => list(asOperator.scope(top), query))
    })
  ),
  applications(
    "list computes the status at the time of the last change",
    /moves from QUOTED to EXPIRED .* without a write/,
    ({ list }) => ({ list: (scope, query) => list(scope, { ...query, at: exampleInstant }) })
  ),
  applications(
    "list ignores the direction of the sort",
    /`exportAll` return the same as a filter of all items/,
    ({ list }) => ({
      list: (scope, query) => {
        const [first] = query.sort
        return list(scope, { ...query, sort: [{ ...first, direction: "asc" }] })
      }
    })
  ),
  applications(
    "list has no budget",
    /refuse a read over their budget/,
    ({ list }) => ({
      list: (scope, query) => list(scope, query)
    })
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
  applications("list counts at most 100", /counts every application/, ({ list }) => ({
    list: (scope, query) =>
      Effect.map(list(scope, query), ({ items, total }) => ({ items, total: Math.min(total, 100) }))
  })),
  applications("insert normalizes the external_id", /character for character/, ({ insert }) => ({
    insert: (partner, application) =>
      insert(partner, { ...application, external_id: application.external_id.normalize("NFC") })
  })),
  applications("save ignores the KYC", /`save` changes only .* KYC/, ({ save }) => ({
    save: (before, after) => save(before, { ...after, kyc: before.record.kyc })
  })),
  {
    fault: "ProposalRepository: list includes the parent's subtree",
    detectedBy: /`list` returns .* outside/,
    suite: (runner) =>
      proposalRepositorySuite(
        "broken",
        breakPort(ProposalRepository, ({ list, ...sound }) =>
          Effect.map(MemoryDatabase, (database) => ({
            ...sound,
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
        breakPort(ProposalRepository, ({ find, ...sound }) =>
          Effect.map(MemoryDatabase, (database) => ({
            ...sound,
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
        breakPort(ProposalRepository, ({ list, ...sound }) =>
          Effect.succeed({
            ...sound,
            list: (scope, query) => {
              const { status: _, ...filters } = query.filters
              return list(scope, filters.customer_name === undefined ? query : { ...query, filters })
            }
          })),
        runner,
        options
      )
  },
  {
    fault: "ProposalRepository: exportAll skips the first proposal",
    detectedBy: /`exportAll` return the same/,
    suite: (runner) =>
      proposalRepositorySuite(
        "broken",
        breakPort(ProposalRepository, (sound) =>
          Effect.succeed({
            ...sound,
            exportAll: (scope, query) => Stream.drop(sound.exportAll(scope, query), 1)
          })),
        runner,
        options
      )
  },
  suggestionsByCpf,
  suggestions("suggest includes the parent", 0),
  suggestions("suggest includes the parent from the third level on", 1),
  suggestions("suggest includes the parent from the fourth level on", 2)
]
