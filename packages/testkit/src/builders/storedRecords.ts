import { asOperator } from "@lastro/domain/hierarchy"
import { type PasswordHash } from "@lastro/domain/identity"
import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type UserListItem, UserRepository } from "@lastro/domain/user"
import { currentTimestamp } from "@lastro/domain/values"
import { Effect } from "effect"
import { anApplication, type OpeningFields } from "./anApplication.ts"
import { aPartner, type PartnerFields } from "./aPartner.ts"
import { acceptQuotedOffer, answerWithOffers, submitExampleKyc } from "./applicationStages.ts"
import { aUser, exampleHash, type UserFields } from "./aUser.ts"
import { InvalidRecordsAllowed } from "./Builder.ts"

/** Contract suites store values that are easy to compare, such as the name `%`, so invalid records are allowed. */
const allowInvalid = Effect.provideService(InvalidRecordsAllowed, true)

/** Inserts a partner below its parent, or as the root of a new tree, as the operator. */
export const insertPartner = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const partners = yield* PartnerRepository
  yield* partner.parent_id === null
    ? partners.insertRoot(asOperator.inScope(partner))
    : partners.insert(asOperator.inScope(partner.parent_id), partner)
  return partner
})

/** Inserts a user, as the operator. */
export const insertUser = Effect.fnUntraced(function*(user: UserListItem, password: PasswordHash) {
  yield* (yield* UserRepository).insert(asOperator.inScope(user.partner_id), user, password)
  return user
})

/** Inserts an application, as the operator. */
export const insertApplication = Effect.fnUntraced(function*(application: Application) {
  yield* (yield* ApplicationRepository).insert(asOperator.inScope(application.partner_id), application)
  return application
})

/** Stores an example partner as the root of a new tree. */
export const storeRootPartner = Effect.fnUntraced(function*(fields: PartnerFields = {}) {
  return yield* Effect.orDie(insertPartner(yield* allowInvalid(aPartner({ ...fields, parent_id: null }))))
})

/** Stores an example partner as a child of another. */
export const storeChildPartner = Effect.fnUntraced(function*(
  { partner_id: parent_id }: PartnerDetail,
  fields: PartnerFields = {}
) {
  return yield* Effect.orDie(insertPartner(yield* allowInvalid(aPartner({ ...fields, parent_id }))))
})

/** The stored partners, one for each element of a shape. */
export type PartnersOf<S extends ReadonlyArray<number | null>> = { readonly [K in keyof S]: PartnerDetail }

/**
 * Stores one partner for each element of `shape`. An element is `null` for a root, and otherwise the index of the
 * parent, which must be lower. `fields(index)` returns the fields that differ from the defaults.
 */
export const storeForest = <const S extends ReadonlyArray<number | null>>(
  shape: S,
  fields: (index: number) => PartnerFields = () => ({})
): Effect.Effect<PartnersOf<S>, never, PartnerRepository> =>
  Effect.gen(function*() {
    const partners: Array<PartnerDetail> = []
    for (const [index, parentIndex] of shape.entries()) {
      const parent = parentIndex === null ? undefined : partners[parentIndex]
      partners.push(
        yield* (parent === undefined ? storeRootPartner(fields(index)) : storeChildPartner(parent, fields(index)))
      )
    }
    return partners as ReadonlyArray<PartnerDetail> as PartnersOf<S>
  })

/** Stores an example user of a partner. */
export const storeUser = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  fields: UserFields = {},
  password: PasswordHash = exampleHash
) {
  return yield* Effect.orDie(insertUser(yield* allowInvalid(aUser(fields).of(partner)), password))
})

/** Stores an example application that belongs to a partner. The first quote of the application is pending. */
export const storeApplication = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  fields: OpeningFields = {}
) {
  return yield* insertApplication(yield* anApplication(fields).of(partner))
})

/** Saves an application as the operator, and returns its new state. */
export const saveApplication = Effect.fnUntraced(function*(before: Application, after: Application) {
  yield* (yield* ApplicationRepository).save(asOperator.inScope(before), after)
  return after
})

/** Stores an example application that belongs to a partner and has an accepted offer. */
export const storeContractedApplication = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  fields: OpeningFields = {}
) {
  // Tests submit the contract at the current time. Its offer must then still be valid.
  const application = yield* storeApplication(partner, { at: yield* currentTimestamp, ...fields })
  const offered = yield* saveApplication(application, yield* answerWithOffers(application))
  const submitted = yield* saveApplication(offered, submitExampleKyc(offered))
  return yield* saveApplication(submitted, yield* acceptQuotedOffer(submitted))
})
