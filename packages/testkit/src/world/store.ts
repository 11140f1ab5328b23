import {
  ApiClientRepository,
  type Application,
  DurableWork,
  latestQuote,
  type PartnerId,
  type PasswordHash,
  PasswordHasher,
  UnitOfWork
} from "@lastro/domain"
import { Effect, Option, Redacted } from "effect"
import { type ClientBuilder } from "../given/aClient.ts"
import { type ApplicationBuilder } from "../given/anApplication.ts"
import { aPartner, type PartnerBuilder } from "../given/aPartner.ts"
import { exampleHash, type UserBuilder } from "../given/aUser.ts"
import { type Owner } from "../given/Builder.ts"
import { insertApplication, insertPartner, insertUser, saving } from "../given/storedRecords.ts"
import { TestMistake } from "../given/TestMistake.ts"
import { ScriptedLender } from "../lender/ScriptedLender.ts"
import { MemoryDatabase } from "../memory/MemoryDatabase.ts"
import { type MemoryState } from "../memory/MemoryState.ts"

const state = Effect.flatMap(MemoryDatabase, (database) => database.state)

/** What is not there is a mistake of the test; a fake would take it, as it trusts its use cases to have looked. */
const stored = (partner_id: PartnerId, which: string) =>
  Effect.filterOrFail(
    state,
    ({ partners }) => partners.get(partner_id)?.deleted_at === null,
    () => new TestMistake(`${which}, ${partner_id}, is not stored: give it first`)
  )

const free = (id: string, of: (state: MemoryState) => ReadonlyMap<string, unknown>) =>
  Effect.filterOrFail(
    state,
    (now) => !of(now).has(id),
    () => new TestMistake(`the id ${id} is taken: it is stored already`)
  )

/** Has a refusal that a builder's fields brought about say so. */
const mistaken = (sentence: string) => Effect.mapError((cause: unknown) => new TestMistake(sentence, { cause }))

/** Stores a partner: below its parent, or as the root of a new tree. */
export const storePartner = Effect.fnUntraced(function*(builder: PartnerBuilder) {
  const partner = yield* builder
  if (partner.parent_id !== null) yield* stored(partner.parent_id, "the parent of this partner")
  yield* free(partner.partner_id, ({ partners }) => partners)
  return yield* mistaken("the document of this partner is taken in its tree")(insertPartner(partner))
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
  const user = yield* yield* owned(builder, (partner) => builder.of(partner))
  yield* stored(user.partner_id, "the partner of this user")
  yield* free(user.user_id, ({ users }) => users)
  const password = yield* hashed(builder.password)
  return yield* mistaken("the e-mail address of this user is taken")(insertUser(user, password))
})

/** Stores an API client. */
export const storeClient = Effect.fnUntraced(function*(builder: ClientBuilder) {
  const client = yield* yield* owned(builder, (partner) => builder.of(partner))
  yield* stored(client.partner_id, "the partner of this API client")
  const secret = yield* hashed(builder.secret)
  const insert = (yield* ApiClientRepository).insert(client, secret)
  yield* mistaken("the client_id of this API client is taken: it is stored already")(insert)
  return client
})

/** Stores an application, each thing that happened to it after the other, with what is promised to be done for it. */
export const storeApplication = Effect.fnUntraced(function*(builder: ApplicationBuilder) {
  const [first, ...rest] = yield* (yield* owned(builder, (partner) => builder.of(partner))).history
  yield* stored(first.partner_id, "the partner of this application")
  yield* free(first.application_id, ({ applications }) => applications)
  const store = Effect.gen(function*() {
    let last = yield* insertApplication(first)
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
