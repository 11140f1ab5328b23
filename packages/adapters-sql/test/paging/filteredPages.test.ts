import { assert, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { compareBy, foldText, matchesFolded, type SortBy } from "@lastro/domain/input"
import { CostlyAbove } from "@lastro/domain/ports"
import { type UserFilters, type UserListItem, UserRepository, type UserSortField } from "@lastro/domain/user"
import { timestampOf } from "@lastro/domain/values"
import { storeForest, storeUser } from "@lastro/testkit"
import { Effect } from "effect"
import { foldCounts } from "../../src/index.ts"
import { postgresWithoutFolder } from "../databases.ts"

const names = ["Ana Souza", "Quaresmeira Lima", "Anastácia 100%", "Bia Souza", "Zé", "Ço Żuk", "Ana Quaresmeira"]

const inOrder = compareBy<UserListItem, UserSortField>({
  created_at: ({ created_at }) => created_at,
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  cpf: ({ cpf }) => cpf,
  status: ({ status }) => status,
  must_change_password: ({ must_change_password }) => must_change_password,
  user_id: ({ user_id }) => user_id,
  partner_id: ({ partner_id }) => partner_id
}, ({ user_id }) => user_id)

const passes = (filters: UserFilters) => (user: UserListItem): boolean =>
  (filters.full_name === undefined || matchesFolded(foldText(user.name), filters.full_name))
  && (filters.email === undefined || matchesFolded(foldText(user.email), filters.email))
  && (filters.cpf === undefined || user.cpf.includes(filters.cpf))
  && (filters.partner_id === undefined || user.partner_id === filters.partner_id)
  && (filters.status === undefined || user.status === filters.status)
  && (filters.group === undefined || user.group.slug === filters.group)
  && Object.entries(filters.metadata ?? {}).every(([key, value]) => user.metadata[key] === value)

type Sort = readonly [SortBy<UserSortField>, ...Array<SortBy<UserSortField>>]

const sorts: readonly [Sort, ...Array<Sort>] = [
  [{ property: "created_at", direction: "desc" }],
  [{ property: "name", direction: "asc" }],
  [{ property: "phone", direction: "desc" }],
  [{ property: "status", direction: "asc" }, { property: "created_at", direction: "desc" }]
]

it.layer(postgresWithoutFolder(), { excludeTestServices: true, timeout: "1 minute" })(
  "filtered pages in PostgreSQL",
  (it) => {
    it.effect(
      "T02 T03 a filtered page is the same by every access path, prepared or not",
      () =>
        Effect.gen(function*() {
          const { list } = yield* UserRepository
          const [root, child, grandchild, stranger] = yield* storeForest([null, 0, 1, null])
          const stored: Array<UserListItem> = []
          for (let index = 0; index < 60; index++) {
            const partner = [root, child, grandchild][index % 3] ?? root
            stored.push(
              yield* storeUser(partner, {
                name: `${names[index % names.length]}${index % 5 === 0 ? " Neto" : ""}`,
                metadata: index % 6 === 0 ? {} : { plan: index % 2 === 0 ? "gold" : "silver", crm_id: String(index) },
                status: index % 4 === 0 ? "INACTIVE" : "ACTIVE",
                created_at: timestampOf(Date.UTC(2026, 0, 1) + (index % 17) * 60_000)
              })
            )
          }
          for (const other of names) yield* storeUser(stranger, { name: other })
          yield* Effect.repeat(foldCounts, { until: (changes) => changes === 0 })
          const one = stored[7] ?? assert.fail("No user was stored")
          const filters: ReadonlyArray<UserFilters> = [
            { full_name: foldText("quaresmeira") },
            { full_name: foldText("Anast") },
            { full_name: foldText("a") },
            { full_name: foldText("0%") },
            { full_name: foldText("ana souza neto") },
            { full_name: foldText("nobody has this name") },
            { full_name: foldText("souza"), status: "ACTIVE" },
            { full_name: foldText("z"), cpf: one.cpf.slice(2, 6) },
            { email: foldText(one.email) },
            { cpf: one.cpf },
            { partner_id: one.partner_id },
            { partner_id: stranger.partner_id },
            { partner_id: child.partner_id, full_name: foldText("neto") },
            { status: "INACTIVE" },
            { group: one.group.slug, status: "ACTIVE" },
            { metadata: { plan: "gold" } },
            { metadata: { crm_id: "7" } },
            { metadata: { crm_id: "7", plan: "gold" } },
            { metadata: { plan: "silver" }, full_name: foldText("souza") },
            { metadata: { plan: "silver" }, partner_id: child.partner_id, status: "ACTIVE" }
          ]
          const scopes = [
            { top: root, within: stored },
            { top: child, within: stored.filter((_, index) => index % 3 > 0) },
            { top: grandchild, within: stored.filter((_, index) => index % 3 === 2) }
          ]
          for (const [index, filter] of filters.entries()) {
            for (const { top, within } of scopes) {
              for (const sort of [sorts[0], sorts[1 + index % (sorts.length - 1)] ?? sorts[0]]) {
                const expected = within.filter(passes(filter)).toSorted(inOrder(sort))
                // The number of records that may be examined decides the access path.
                for (const costlyAbove of [0, 25, 8_000]) {
                  for (const number of [0, 1]) {
                    const read = list(asOperator.scope(top.partner_id), {
                      filters: filter,
                      sort,
                      page: { number, size: 7 }
                    })
                    const slice = yield* Effect.provideService(read, CostlyAbove, costlyAbove)
                    assert.deepStrictEqual(slice, {
                      items: expected.slice(number * 7, number * 7 + 7),
                      total: expected.length
                    }, JSON.stringify({ filter, sort, costlyAbove, number }))
                  }
                }
              }
            }
          }
        }),
      60_000
    )
  }
)
