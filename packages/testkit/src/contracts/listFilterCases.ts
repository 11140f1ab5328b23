import {
  type ApplicationRepository,
  fold,
  groupBySlug,
  groupRecord,
  millisOf,
  type PartnerDetail,
  type PartnerFilters,
  PartnerRepository,
  type ProposalFilters,
  ProposalRepository,
  type Slice,
  timestampOf,
  type UserFilters,
  UserRepository
} from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { aCustomer } from "../given/aCustomer.ts"
import { type PartnerFields } from "../given/aPartner.ts"
import { moved } from "../given/applicationStages.ts"
import { type UserFields } from "../given/aUser.ts"
import { exampleInstant } from "../given/exampleInstant.ts"
import { freshId } from "../given/freshId.ts"
import { givenContract, saving } from "../given/givenApplication.ts"
import { givenForest } from "../given/givenForest.ts"
import { givenChild } from "../given/givenPartner.ts"
import { givenUser } from "../given/givenUser.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { acceptedIn } from "./proposalsUnderTest.ts"
import { query, scopeOfPartner } from "./read.ts"

const sentence = "filters together show what passes every one of them, and without one of them also what fails that one"

/**
 * Holds a list against a record that passes every filter and, for each filter, one that fails no other. `idsBy` gives the
 * ids that the list shows.
 */
const filtersNarrow = <Filters extends object, E, R>(
  filters: Filters,
  target: string,
  failing: { readonly [K in keyof Filters]-?: string },
  idsBy: (filters: Partial<Filters>) => Effect.Effect<ReadonlyArray<string>, E, R>
) =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* idsBy(filters), [target])
    for (const name of Object.keys(failing) as Array<keyof Filters>) {
      const { [name]: _, ...others } = filters
      assert.sameMembers([...(yield* idsBy(others as Partial<Filters>))], [target, failing[name]], String(name))
    }
  })

/** The ids of a slice, which counts what it shows. */
const counted = <Item>({ items, total }: Slice<Item>, id: (item: Item) => string): ReadonlyArray<string> => {
  assert.strictEqual(total, items.length)
  return items.map(id)
}

/** The contract of PartnerRepository's lists about several filters at once. */
export const partnerListFilterCases: ContractCases<PartnerRepository> = (it) => {
  it(sentence, () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root, parent] = yield* givenForest([null, 0])
      let count = 10
      const given = (fields: PartnerFields, below: PartnerDetail = parent) => {
        count += 1
        return Effect.map(
          givenChild(below, {
            name: "Loja Azul",
            email: "azul@example.com",
            document_number: `044477735${count}`,
            ...fields
          }),
          ({ partner_id }): string => partner_id
        )
      }
      const filters: Required<PartnerFilters> = {
        name: fold("azul"),
        email: fold("azul@"),
        document_number: "44477735",
        person_type: "pf",
        status: "active",
        parent_id: parent.partner_id
      }
      yield* filtersNarrow(filters, yield* given({}), {
        name: yield* given({ name: "Loja Verde" }),
        email: yield* given({ email: "verde@example.com" }),
        document_number: yield* given({ document_number: "52998224725" }),
        person_type: yield* given({ person_type: "pj" }),
        status: yield* given({ status: "inactive" }),
        parent_id: yield* given({}, root)
      }, (some) =>
        Effect.map(
          repository.list(scopeOfPartner(root), query(some)),
          (slice) => counted(slice, ({ partner_id }) => partner_id)
        ))
    }))
}

/** The contract of UserRepository's lists about several filters at once. */
export const userListFilterCases: ContractCases<PartnerRepository | UserRepository> = (it) => {
  it(sentence, () =>
    Effect.gen(function*() {
      const repository = yield* UserRepository
      const [root, child] = yield* givenForest([null, 0])
      const given = Effect.fnUntraced(function*(fields: UserFields, partner: PartnerDetail = child) {
        const email = `azul.${yield* freshId}@example.com`
        const { user_id } = yield* givenUser(partner, { name: "Maria Azul", cpf: "11144477735", email, ...fields })
        return user_id as string
      })
      const filters: Required<UserFilters> = {
        full_name: fold("azul"),
        email: fold("azul."),
        cpf: "44477735",
        partner_id: child.partner_id,
        status: "ACTIVE",
        group: "admin"
      }
      yield* filtersNarrow(filters, yield* given({}), {
        full_name: yield* given({ name: "Maria Verde" }),
        email: yield* given({ email: `verde.${yield* freshId}@example.com` }),
        cpf: yield* given({ cpf: "52998224725" }),
        partner_id: yield* given({}, root),
        status: yield* given({ status: "INACTIVE" }),
        group: yield* given({ group: groupRecord(groupBySlug("viewer")) })
      }, (some) =>
        Effect.map(
          repository.list(scopeOfPartner(root), query(some)),
          (slice) => counted(slice, ({ user_id }) => user_id)
        ))
    }))
}

const minute = (minutes: number) => timestampOf(millisOf(exampleInstant) + minutes * 60_000)

/** The contract of ProposalRepository's lists about several filters at once. */
export const proposalListFilterCases: ContractCases<ApplicationRepository | PartnerRepository | ProposalRepository> = (
  it
) => {
  it(sentence, () =>
    Effect.gen(function*() {
      const repository = yield* ProposalRepository
      const [root, child] = yield* givenForest([null, 0])
      const customer = yield* aCustomer().named("Ana Azul")
      const given = Effect.fnUntraced(function*({
        created = 10,
        external_id = "azul",
        partner = child,
        person = customer,
        status = "PAID" as "PAID" | "DISBURSING",
        updated = 20
      } = {}) {
        const contract = yield* givenContract(partner, { customer: person, external_id, at: minute(created) })
        return acceptedIn(yield* saving(contract, moved(contract, status, { at: minute(updated) }))) as string
      })
      const filters: Required<ProposalFilters> = {
        cpf: customer.cpf,
        customer_name: fold("azul"),
        external_id: "azul",
        status: "PAID",
        partner_id: child.partner_id,
        created_from: minute(10),
        created_to: minute(11),
        updated_from: minute(20),
        updated_to: minute(21)
      }
      yield* filtersNarrow(filters, yield* given(), {
        cpf: yield* given({ person: yield* aCustomer().named("Ana Azul") }),
        customer_name: yield* given({ person: { ...customer, name: "Ana Verde" as typeof customer.name } }),
        external_id: yield* given({ external_id: "verde" }),
        status: yield* given({ status: "DISBURSING" }),
        partner_id: yield* given({ partner: root }),
        created_from: yield* given({ created: 9 }),
        created_to: yield* given({ created: 11 }),
        updated_from: yield* given({ updated: 19 }),
        updated_to: yield* given({ updated: 21 })
      }, (some) =>
        Effect.map(
          repository.list(scopeOfPartner(root), query(some)),
          (slice) => counted(slice, ({ proposal_id }) => proposal_id)
        ))
    }))
}
