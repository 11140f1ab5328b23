import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { ProposalRepository, type ProposalSortField } from "@lastro/domain/origination"
import { PartnerRepository, type PartnerSortField } from "@lastro/domain/partner"
import { UserRepository, type UserSortField } from "@lastro/domain/user"
import { Effect } from "effect"
import { type Sizes } from "./scopes.ts"

/** The query parameters that the benchmark varies. */
interface Question<Field extends string> {
  readonly sort?: Field
  readonly page?: number
  /** A part of a name to search for, in lower case and without accents. */
  readonly name?: string
}

/** A kind of record that has a list. */
export interface Kind<Field extends string> {
  readonly name: keyof Sizes
  readonly sorts: ReadonlyArray<Field>
  readonly list: (scope: SubtreeScope, question?: Question<Field>) => Effect.Effect<unknown>
}

const size = 20

/** Builds a list query. Default sort: newest first. Other fields sort in ascending order. */
const asked = <Field extends string>({ page = 0, sort }: Question<Field>) => ({
  page: { number: page, size },
  sort: [
    sort === undefined
      ? { property: "created_at", direction: "desc" } as const
      : { property: sort, direction: "asc" } as const
  ] as const
})

const named = <Key extends string>(key: Key, name: string | undefined) =>
  name === undefined ? {} : { [key]: name } as Record<Key, string>

/** The lists of the repositories for users, partners and proposals. */
export const kinds = Effect.gen(function*() {
  const users = yield* UserRepository
  const partners = yield* PartnerRepository
  const proposals = yield* ProposalRepository
  const ofUsers: Kind<UserSortField> = {
    name: "users",
    sorts: ["name", "email", "phone", "cpf", "status", "must_change_password", "user_id", "partner_id"],
    list: (scope, question = {}) =>
      Effect.orDie(users.list(scope, { filters: named("full_name", question.name), ...asked(question) }))
  }
  const ofPartners: Kind<PartnerSortField> = {
    name: "partners",
    sorts: ["name", "document_number", "email", "status"],
    list: (scope, question = {}) =>
      Effect.orDie(partners.list(scope, { filters: named("name", question.name), ...asked(question) }))
  }
  const ofProposals: Kind<ProposalSortField> = {
    name: "proposals",
    sorts: ["updated_at", "status", "net_amount"],
    list: (scope, question = {}) =>
      Effect.orDie(proposals.list(scope, { filters: named("customer_name", question.name), ...asked(question) }))
  }
  return { users: ofUsers, partners: ofPartners, proposals: ofProposals }
})
