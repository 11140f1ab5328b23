import {
  type Application,
  ApplicationRepository,
  asOperator,
  isUnfinished,
  millisOf,
  type PartnerDetail,
  PartnerRepository,
  timestampOf
} from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import * as fc from "fast-check"
import { forestShape } from "../../arbitraries/forests.ts"
import { history } from "../../arbitraries/histories.ts"
import { exampleInstant, freshId } from "../../given/Fresh.ts"
import { givenApplication, givenForest, givenRoot } from "../../given/storedRecords.ts"
import { forestOf, isWithin } from "../../hierarchy/naiveForest.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { forAll, propertyTimeout } from "../suite/forAll.ts"
import { scopeOfPartner } from "../suite/queries.ts"
import { givenHistory } from "./storedApplication.ts"

const secondsLater = (seconds: number) => timestampOf(millisOf(exampleInstant) + seconds * 1_000)

const byAge = (one: Application, other: Application): number => one.created_at < other.created_at ? 1 : -1

/** The contract of ApplicationRepository's search by external id, and of what partners are told of their applications. */
export const applicationSearchCases: ContractCases<ApplicationRepository | PartnerRepository> = (it, { runs }) => {
  it("T48 findByExternalId gives those in scope with this very external id, the newest first", () =>
    forAll(
      fc.record({
        shape: forestShape(6),
        rows: fc.array(fc.record({ partner: fc.nat(), id: fc.constantFrom("x", "X", "x ", "é", "%", "_") }), {
          maxLength: 10
        }),
        caller: fc.nat()
      }),
      runs,
      Effect.fnUntraced(function*({ caller, rows, shape }) {
        const applications = yield* ApplicationRepository
        const partners = yield* givenForest<ReadonlyArray<number | null>>(shape)
        const parents = forestOf(partners)
        const at = (place: number) => partners[place % partners.length] as PartnerDetail
        const prefix = yield* freshId
        const all: Array<Application> = []
        for (const [index, { id, partner }] of rows.entries()) {
          // Not in the order of their ids: the newest is inserted somewhere in between.
          const fields = { external_id: `${prefix}${id}`, at: secondsLater((index * 7) % 11) }
          all.push(yield* givenApplication(at(partner), fields))
        }
        for (const external_id of new Set([`${prefix}none`, ...all.map((one) => one.external_id)])) {
          const found = yield* applications.findByExternalId(scopeOfPartner(at(caller)), external_id, 100)
          const expected = all.filter((one) =>
            one.external_id === external_id && isWithin(parents, at(caller).partner_id, one.partner_id)
          )
          assert.deepStrictEqual(found, expected.toSorted(byAge))
        }
      })
    ), propertyTimeout)

  it("T48 findByExternalId gives at most as many as are asked for, and the newest of them", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const partner = yield* givenRoot()
      const external_id = yield* freshId
      const newest: Array<Application> = []
      for (const seconds of [0, 2, 1]) {
        newest.push(yield* givenApplication(partner, { external_id, at: secondsLater(seconds) }))
      }
      const search = (limit: number) => applications.findByExternalId(scopeOfPartner(partner), external_id, limit)
      assert.deepStrictEqual(yield* search(2), newest.toSorted(byAge).slice(0, 2))
      assert.strictEqual((yield* search(100)).length, 3)
    }))

  it(
    "T14 dependents counts a partner's own applications while a quote is pending or a contract under way",
    () =>
      forAll(
        fc.array(history(8), { maxLength: 4 }),
        runs,
        Effect.fnUntraced(function*(histories) {
          const [root, child] = yield* givenForest([null, 0])
          const all = yield* Effect.forEach(histories, (one) => givenHistory(child, one))
          const partners = yield* PartnerRepository
          const of = (partner: PartnerDetail) => partners.dependents(asOperator.inScope(partner))
          assert.strictEqual((yield* of(child)).applications, all.filter(isUnfinished).length)
          assert.strictEqual((yield* of(root)).applications, 0)
        })
      ),
    propertyTimeout
  )
}
