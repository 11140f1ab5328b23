import { aCaller, aCompleteKyc, aCustomer, aPartner, type TestLastro } from "@lastro/testkit"
import { Result } from "effect"
import { type Caller } from "../../src/access/Caller.ts"
import { type OfferId, type PartnerId } from "../../src/values/ids.ts"

type Answer<A> = Promise<Result.Result<A, { readonly _tag: string }>>

export const ok = async <A>(answer: Answer<A>): Promise<A> => Result.getOrThrow(await answer)

export const refusal = async (answer: Answer<unknown>): Promise<string> =>
  Result.match(await answer, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag })

const day = "2026-01-31"

/** A root, two masters below it, a store below the first master and a seller below the store. */
export const openNetwork = async (fixture: TestLastro) => {
  const { callerFor, given } = fixture
  const root = await given(aPartner())
  const master = await given(aPartner({ parent_id: root.partner_id }))
  const other = await given(aPartner({ parent_id: root.partner_id }))
  const store = await given(aPartner({ parent_id: master.partner_id }))
  const seller = await given(aPartner({ parent_id: store.partner_id }))
  const admin = (partner: typeof root) => callerFor(aCaller().at(partner).inGroup("admin"))
  const callers = {
    root: await admin(root),
    master: await admin(master),
    other: await admin(other),
    store: await admin(store),
    seller: await admin(seller)
  }
  return { callers, ids: { root, master, other, store, seller } }
}

export type Network = Awaited<ReturnType<typeof openNetwork>>

export const write = (
  fixture: TestLastro,
  caller: Caller,
  partner_id: string,
  rates: ReadonlyArray<object>,
  fields = {}
) => fixture.lastro.createCommissionPlan(caller, partner_id, { valid_from: day, rates, ...fields } as never)

/** Writes plans: 12.5 % of the net amount, of which 60 %, 50 % and 33.3333 % are passed on. */
export const writePlans = async (fixture: TestLastro, { callers, ids }: Network) => {
  await ok(write(fixture, callers.root, ids.root.partner_id, [{ percent: 12.5 }], { basis: "NET" }))
  await ok(write(fixture, callers.root, ids.master.partner_id, [{ of_parent: 60 }]))
  await ok(write(fixture, callers.master, ids.store.partner_id, [{ of_parent: 50 }]))
  await ok(write(fixture, callers.store, ids.seller.partner_id, [{ of_parent: 33.3333 }]))
}

/** Sells a contract. Returns its ids. */
export const sell = async ({ finishWork, given, lastro, state }: TestLastro, caller: Caller) => {
  const customer = await given(aCustomer())
  const { application_id } = await ok(lastro.createApplication(caller, { external_id: "1", customer }))
  await finishWork()
  await ok(lastro.submitKyc(caller, application_id, aCompleteKyc().for(customer).build()))
  const stored = () => state().applications.get(application_id)?.application
  const offer_id = stored()?.quotes[0].offers[0]?.offer_id as OfferId
  const { proposal_id } = await ok(lastro.acceptOffer(caller, application_id, offer_id, { terms_accepted: true }))
  await finishWork()
  return { proposal_id, stored }
}

export const entriesOf = async (fixture: TestLastro, caller: Caller, query: object = {}) =>
  (await ok(fixture.lastro.listCommissions(caller, { size: 100, ...query }))).content

export const amounts = (entries: ReadonlyArray<{ readonly partner_id: PartnerId; readonly amount: number }>) =>
  new Map(entries.map(({ amount, partner_id }) => [partner_id as string, Math.round(amount * 100)]))
