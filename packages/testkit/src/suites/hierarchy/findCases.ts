import { type FoundRecord, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { assert } from "chai"
import { Effect, type Option } from "effect"
import { freshId } from "../../builders/Fresh.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { recordOrRefusal, scopeOfPartner } from "../suite/queries.ts"
import { storeScopeExamples } from "../suite/storedRecords.ts"

/** The find methods of a port. */
export interface FindSubject<A, R> {
  readonly methods: Readonly<
    Record<string, (scope: SubtreeScope, id: string) => Effect.Effect<Option.Option<FoundRecord<A>>, never, R>>
  >
  /** Stores a record of a partner. Returns its id, and the record that the find methods must return. */
  readonly store: (partner: PartnerDetail) => Effect.Effect<{ readonly id: string; readonly record: A }, never, R>
  /** The ids of the threats that the scope checks of the methods prevent. They become part of the name of the case. */
  readonly threats?: ReadonlyArray<`T${number}`>
}

/** Contract cases for every find method by id. */
export const findCases =
  <A, R>({ methods, store, threats = [] }: FindSubject<A, R>): ContractCases<PartnerRepository | R> => (it) => {
    const names = Object.keys(methods).map((name) => `\`${name}\``)
    const subject = `${names.join(" and ")} ${names.length === 1 ? "returns" : "return"}`
    const rules = ["HIER-01", "HIER-02", ...threats].join(" ")

    it(`${subject} nothing for an unknown id`, function*() {
      const { partners: [partner] } = yield* storeScopeExamples
      yield* store(partner)
      for (const find of Object.values(methods)) {
        assert.strictEqual(recordOrRefusal(yield* find(scopeOfPartner(partner), yield* freshId)), "NotFound")
      }
    })

    it(`${rules} ${subject} records of the caller's partner and its descendants, and OutsideHierarchy for all others`, function*() {
      const { partners, scopes } = yield* storeScopeExamples
      const stored = new Map<PartnerDetail, { readonly id: string; readonly record: A }>()
      for (const partner of partners) stored.set(partner, yield* store(partner))
      for (const { caller, inside, outside } of scopes) {
        for (const find of Object.values(methods)) {
          const findRecordOf = (partner: PartnerDetail) =>
            Effect.map(find(scopeOfPartner(caller), stored.get(partner)?.id ?? ""), recordOrRefusal)
          for (const partner of inside) {
            assert.deepStrictEqual(yield* findRecordOf(partner), stored.get(partner)?.record)
          }
          for (const partner of outside) assert.strictEqual(yield* findRecordOf(partner), "OutsideHierarchy")
        }
      }
    })
  }
