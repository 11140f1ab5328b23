import { groupBySlug, groupRecord, groups } from "@lastro/domain/access"
import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { foldText, type ListQuery } from "@lastro/domain/input"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import {
  type UserFilters,
  type UserListItem,
  UserRepository,
  type UserSortField,
  userSortFields,
  UserStatus
} from "@lastro/domain/user"
import { Effect, identity, Stream } from "effect"
import * as fc from "fast-check"
import { forestShape } from "../../arbitraries/partners.ts"
import { userFields } from "../../arbitraries/users.ts"
import { type UserFields } from "../../builders/aUser.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeForest, storeRootPartner, storeUser } from "../../builders/storedRecords.ts"
import { type ListSubject, nameTies } from "../input/listCases.ts"
import {
  containsDigits,
  containsText,
  equalsLiteral,
  equalsPartner,
  type FilterModels,
  includesMetadata,
  listModelCases
} from "../input/listModelCases.ts"
import { removeUser } from "../suite/storedRecords.ts"

/** Stores a user that matches every filter of `filterExample`, except where `fields` overrides its fields. */
const storeBlue = Effect.fnUntraced(function*(partner: PartnerDetail, fields: UserFields = {}) {
  const { user_id } = yield* storeUser(partner, {
    name: "Maria Azul",
    cpf: "11144477735",
    email: `azul.${yield* freshId}@example.com`,
    metadata: { color: "blue", "2": "" },
    ...fields
  })
  return user_id as string
})

const list = (scope: SubtreeScope, query: ListQuery<UserFilters, UserSortField>, budget?: number) =>
  UserRepository.use((users) => users.list(scope, query, budget))

/** The list method of UserRepository, for the contract cases. */
export const userList: ListSubject<UserListItem, UserFilters, "name", PartnerRepository | UserRepository> = {
  list,
  id: ({ user_id }) => user_id,
  name: ({ name }) => name,
  storeRecord: (partner) => Effect.map(storeUser(partner), ({ user_id }) => user_id),
  storeNames: Effect.fnUntraced(function*(names) {
    const caller = yield* storeRootPartner()
    const ids: Array<string> = []
    for (const name of names) {
      const email = `${name.replaceAll(" ", ".")}.${yield* freshId}@example.com`
      ids.push((yield* storeUser(caller, { name, email })).user_id)
    }
    return { caller, ids }
  }),
  textFilters: (text) => [{ full_name: text }, { email: text }],
  storeFilterable: (partner) =>
    Effect.map(storeUser(partner), ({ cpf }) => [{ partner_id: partner.partner_id }, { cpf }]),
  tiedSorts: nameTies,
  filterExample: Effect.gen(function*() {
    const [root, child] = yield* storeForest([null, 0])
    return {
      caller: root,
      filters: {
        full_name: foldText("azul"),
        email: foldText("azul."),
        cpf: "44477735",
        partner_id: child.partner_id,
        status: "ACTIVE",
        group: "admin",
        metadata: { color: "blue", "2": "" }
      },
      match: yield* storeBlue(child),
      mismatches: {
        full_name: yield* storeBlue(child, { name: "Maria Verde" }),
        email: yield* storeBlue(child, { email: `verde.${yield* freshId}@example.com` }),
        cpf: yield* storeBlue(child, { cpf: "52998224725" }),
        partner_id: yield* storeBlue(root),
        status: yield* storeBlue(child, { status: "INACTIVE" }),
        group: yield* storeBlue(child, { group: groupRecord(groupBySlug("viewer")) }),
        metadata: yield* storeBlue(child, { metadata: { color: "blue" } })
      }
    }
  })
}

const filterModels = {
  full_name: containsText(({ name }) => name),
  email: containsText(({ email }) => email),
  cpf: containsDigits(({ cpf }) => cpf),
  partner_id: equalsPartner(({ partner_id }) => partner_id),
  status: equalsLiteral(({ status }) => status, UserStatus.literals),
  group: equalsLiteral(({ group }) => group.slug, groups.map(({ slug }) => slug)),
  metadata: includesMetadata<UserListItem>()
} satisfies FilterModels<UserListItem, UserFilters>

/** Contract cases that compare the list of UserRepository with a brute-force model. */
export const userListModelCases = listModelCases({
  exportAll: (scope, query) => Stream.unwrap(UserRepository.useSync((users) => users.exportAll(scope, query))),
  examples: fc.record({
    shape: forestShape(6),
    users: fc.array(
      fc.record({ fields: userFields, partner: fc.nat(), removed: fc.nat({ max: 5 }).map((draw) => draw === 0) }),
      { maxLength: 10 }
    )
  }),
  store: Effect.fnUntraced(function*({ shape, users }) {
    const partners = yield* storeForest<ReadonlyArray<number | null>>(shape)
    const rows: Array<UserListItem> = []
    for (const { fields, partner, removed } of users) {
      const owner = partners[partner % partners.length] as PartnerDetail
      const user = yield* storeUser(owner, { ...fields, email: `${yield* freshId}.${fields.email}` })
      if (removed) yield* Effect.orDie(removeUser(owner, user))
      else rows.push(user)
    }
    return { partners, rows }
  }),
  list,
  filters: filterModels,
  sortFields: userSortFields,
  sortKeys: {
    created_at: (item) => item.created_at,
    name: (item) => item.name,
    email: (item) => item.email,
    phone: (item) => item.phone,
    cpf: (item) => item.cpf,
    status: (item) => item.status,
    must_change_password: (item) => item.must_change_password,
    user_id: (item) => item.user_id,
    partner_id: (item) => item.partner_id
  },
  item: identity<UserListItem>,
  id: userList.id
})
