import { asOperator } from "@lastro/domain/hierarchy"
import { ApplicationRepository, KycSuggestions, ProposalRepository } from "@lastro/domain/origination"
import { exampleInstant } from "@lastro/testkit"
import { applicationRepositorySuite, kycSuggestionsSuite, proposalRepositorySuite } from "@lastro/testkit/suites"
import { Effect, Option, Stream } from "effect"
import { type Fault, faultOf } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

const applications = faultOf("ApplicationRepository", ApplicationRepository, applicationRepositorySuite)
const proposals = faultOf("ProposalRepository", ProposalRepository, proposalRepositorySuite)
const suggestions = faultOf("KycSuggestions", KycSuggestions, kycSuggestionsSuite)

const suggestionsOfParent = (fault: string, depth: number) =>
  suggestions(fault, /ignores applications of siblings, ancestors/, ({ suggest }, database) => ({
    suggest: ({ record }) =>
      Effect.flatMap(
        parentOf(database, record.partner_id, depth),
        (partner_id) => suggest(asOperator.inScope({ ...record, partner_id }))
      )
  }))

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
  proposals("list includes the parent's subtree", /`list` returns .* outside/, ({ list }, database) => ({
    list: (scope, query) =>
      Effect.flatMap(parentOf(database, scope.partner_id), (top) => list(asOperator.scope(top), query))
  })),
  applications(
    "find includes the parent from the fourth level on",
    /`find` .* descendants/,
    ({ find }, database) => ({
      find: (scope, id) =>
        Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
    })
  ),
  proposals("find includes the parent from the fourth level on", /`find` .* descendants/, ({ find }, database) => ({
    find: (scope, id) =>
      Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
  })),
  proposals("list ignores the status filter beside a name filter", /combined with AND/, ({ list }) => ({
    list: (scope, query) => {
      const { status: _, ...filters } = query.filters
      return list(scope, filters.customer_name === undefined ? query : { ...query, filters })
    }
  })),
  proposals("exportAll skips the first proposal", /`exportAll` return the same/, (sound) => ({
    exportAll: (scope, query) => Stream.drop(sound.exportAll(scope, query), 1)
  })),
  suggestions("suggest ignores the birth date", /KYC-12/, (_sound, { state }) => ({
    suggest: ({ record: { application_id, customer } }) =>
      Effect.map(state, ({ applications }) =>
        Option.fromNullishOr(
          Array.from(applications.values()).findLast(({ application }) =>
            application.application_id !== application_id && application.customer.cpf === customer.cpf &&
            application.kyc !== null
          )?.application.kyc
        ))
  })),
  suggestionsOfParent("suggest includes the parent", 0),
  suggestionsOfParent("suggest includes the parent from the third level on", 1),
  suggestionsOfParent("suggest includes the parent from the fourth level on", 2)
]
