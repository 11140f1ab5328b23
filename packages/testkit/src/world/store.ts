import {
  type ApiClient,
  ApiClientRepository,
  type Application,
  ApplicationRepository,
  asOperator,
  DurableWork,
  latestQuote,
  type PartnerDetail,
  PartnerRepository,
  type PasswordHash,
  PasswordHasher,
  UnitOfWork,
  type UserListItem,
  UserRepository
} from "@lastro/domain"
import { Effect, Option, Redacted } from "effect"
import { type ClientBuilder } from "../given/aClient.ts"
import { type ApplicationBuilder } from "../given/anApplication.ts"
import { aPartner, type PartnerBuilder } from "../given/aPartner.ts"
import { exampleHash, type UserBuilder } from "../given/aUser.ts"
import { saving } from "../given/givenApplication.ts"
import { type Owner } from "../given/Owner.ts"
import { ScriptedLender } from "../lender/ScriptedLender.ts"

/** Stores a partner: below its parent, or as the root of a new tree. */
export const storePartner = Effect.fnUntraced(function*(builder: PartnerBuilder) {
  const partner: PartnerDetail = yield* builder
  const partners = yield* PartnerRepository
  yield* Effect.orDie(
    partner.parent_id === null
      ? partners.insertRoot(asOperator.inScope(partner))
      : partners.insert(asOperator.inScope(partner.parent_id), partner)
  )
  return partner
})

/** What a builder describes, of a partner of its own where it was told of none. */
export const owned = Effect.fnUntraced(function*<B extends { readonly owner: Owner | undefined }>(
  builder: B,
  of: (partner: Owner) => B
) {
  return builder.owner === undefined ? of(yield* storePartner(aPartner())) : builder
})

const hashed = Effect.fnUntraced(function*(secret: string | null) {
  if (secret === null) return exampleHash
  const hash: PasswordHash = yield* (yield* PasswordHasher).hash(Redacted.make(secret))
  return hash
})

/** Stores a user. */
export const storeUser = Effect.fnUntraced(function*(builder: UserBuilder) {
  const user: UserListItem = yield* yield* owned(builder, (partner) => builder.of(partner))
  const owner = asOperator.inScope(user.partner_id)
  yield* Effect.orDie((yield* UserRepository).insert(owner, user, yield* hashed(builder.password)))
  return user
})

/** Stores an API client. */
export const storeClient = Effect.fnUntraced(function*(builder: ClientBuilder) {
  const client: ApiClient = yield* yield* owned(builder, (partner) => builder.of(partner))
  yield* Effect.orDie((yield* ApiClientRepository).insert(client, yield* hashed(builder.secret)))
  return client
})

/** Stores an application, each thing that happened to it after the other, with what is promised to be done for it. */
export const storeApplication = Effect.fnUntraced(function*(builder: ApplicationBuilder) {
  const [first, ...rest] = yield* (yield* owned(builder, (partner) => builder.of(partner))).history
  const store = Effect.gen(function*() {
    yield* (yield* ApplicationRepository).insert(asOperator.inScope(first.partner_id), first)
    let last: Application = first
    for (const next of rest) last = yield* saving(last, next)
    yield* promise(last)
    return last
  })
  const application = yield* Effect.orDie((yield* UnitOfWork).atomically(store))
  yield* tellLender(application)
  return application
})

/** Starts the work that an application waits for, as the use case does that brought it there. */
const promise = Effect.fnUntraced(function*(application: Application) {
  const { outcome, quote_id } = latestQuote(application)
  const { proposal } = application
  const work = yield* DurableWork
  if (proposal === null) return outcome === "PENDING" ? yield* work.startQuote(quote_id) : undefined
  if (proposal.status === "SUBMITTING") yield* work.startContract(proposal.proposal_id, proposal.disbursement_attempt)
})

/** A lender that is scripted knows the contracts that a test begins with. */
const tellLender = Effect.fnUntraced(function*({ application_id, proposal }: Application) {
  const scripted = yield* Effect.serviceOption(ScriptedLender)
  if (Option.isNone(scripted) || proposal === null || proposal.reference === null) return
  const { disbursement, disbursement_attempt, proposal_id, reference, rejection, signature_url, status } = proposal
  if (status === "SUBMITTING") return
  yield* scripted.value.knows({
    application_id,
    proposal_id,
    contract: { reference, status, signature_url, rejection, disbursement_attempt },
    payments: [disbursement]
  })
})
