/* oxlint-disable eslint/no-await-in-loop -- a request of a history follows the one before */
import { type Caller } from "@lastro/domain/access"
import { orThrow } from "@lastro/domain/promises"
import { type OfferId } from "@lastro/domain/values"
import { aCaller, aCompleteKyc, aCustomer, aPartner } from "@lastro/testkit"
import { openTestApi } from "@lastro/testkit/http"
import { parentsAtStart } from "./Secrets.ts"
import { type Side } from "./Side.ts"

/** Opens a tree over in-memory ports. Its contracts are loans at the scripted lender. */
export const openMemorySide = async (): Promise<Side> => {
  const api = await openTestApi({ now: "2026-01-10T12:00:00.000Z" })
  const { clock, finishWork, given, lastro, lender, state } = api
  const partners: Array<string> = []
  for (const parent of parentsAtStart) {
    const parent_id = parent === null ? undefined : partners[parent]
    const { partner_id } = await given(aPartner(parent_id === undefined ? {} : { parent_id: parent_id as never }))
    partners.push(partner_id)
  }
  const builders = partners.map((partner_id) => aCaller().at({ partner_id } as never).inGroup("admin"))
  const callers: Array<Caller> = []
  for (const builder of builders) callers.push(await api.callerFor(builder))
  const tokens = new Map<string, Promise<string>>()
  const authorizationOf = async (partner: number): Promise<string> => {
    const key = `${partner} ${clock.now()}`
    const token = tokens.get(key) ?? api.tokenFor(builders[partner] ?? aCaller())
    tokens.set(key, token)
    return `Bearer ${await token}`
  }
  const today = () => new Date(Date.parse(clock.now()) - 3 * 3_600_000).toISOString().slice(0, 10)
  return {
    partners,
    ask: (partner) => async (path, request = {}) =>
      api.fetch(path, { ...request, headers: { ...request.headers, authorization: await authorizationOf(partner) } }),
    accept: async (seller) => {
      const caller = callers[seller]
      if (caller === undefined) throw new Error("The seller has no caller")
      const customer = await given(aCustomer())
      const { application_id } = await lastro.createApplication(caller, { external_id: "1", customer }).then(orThrow)
      await finishWork()
      await lastro.submitKyc(caller, application_id, aCompleteKyc().for(customer).build()).then(orThrow)
      const offer = state().applications.get(application_id)?.application.quotes[0].offers[0]?.offer_id as OfferId
      const { proposal_id } = await lastro.acceptOffer(caller, application_id, offer, { terms_accepted: true }).then(
        orThrow
      )
      await finishWork()
      return proposal_id
    },
    end: async (contract, status) => {
      lender.moveContract(contract, status)
      await finishWork()
    },
    pass: (days) => clock.advance(days * 86_400_000),
    today,
    close: api.close
  }
}
