import { assert, describe, it } from "@effect/vitest"
import {
  Cpf,
  Customer,
  Email,
  isComplete,
  isFinal,
  KycValues,
  Name,
  noKyc,
  parseCnpj,
  parsePixKey,
  PartnerDetail,
  type Proposal,
  type Quote,
  Uuid
} from "@lastro/domain"
import { Result, Schema } from "effect"
import { applicationRows } from "../../src/seed/applicationRows.ts"
import { partnerRows } from "../../src/seed/partnerRows.ts"
import { planApplications } from "../../src/seed/planApplications.ts"
import { planPartners } from "../../src/seed/planPartners.ts"
import { planUsers } from "../../src/seed/planUsers.ts"
import { userRows } from "../../src/seed/userRows.ts"

/** Everything that a seed loads. */
const rowsOf = (seed: number, sizes = { partners: 300, users: 2_000, applications: 2_000 }) => {
  const partners = planPartners(sizes.partners, seed, 64)
  const users = planUsers(partners, sizes.users, seed)
  const applications = planApplications(partners, users, sizes.applications, seed)
  return {
    partners: [...partnerRows(partners, seed)],
    users: [...userRows(users, partners, "hash", seed)],
    applications: [...applicationRows(applications, { users, partners }, seed)]
  }
}

const rows = rowsOf(7)

const distinct = (values: ReadonlyArray<unknown>): boolean => new Set(values).size === values.length

const proposals = rows.applications.flatMap((one) => one.proposals)
const quotes = rows.applications.flatMap((one) => one.quotes)
const kycs = rows.applications.flatMap(({ application: { kyc } }) => kyc === null ? [] : [JSON.parse(kyc) as KycValues])

describe("seeded rows", () => {
  it("are the same for the same seed and others for another", () => {
    assert.deepStrictEqual(rowsOf(7), rows)
    const other = rowsOf(8)
    assert.strictEqual(other.partners.filter(({ id }) => rows.partners.some((one) => one.id === id)).length, 0)
    assert.notDeepEqual(other.users.map(({ name }) => name), rows.users.map(({ name }) => name))
  })

  it("have ids, addresses, documents and numbers of their own", () => {
    for (
      const ids of [
        rows.partners.map(({ id }) => id),
        rows.users.map(({ id }) => id),
        rows.applications.map(({ application }) => application.id),
        quotes.map(({ id }) => id),
        quotes.flatMap(({ facts }) => (JSON.parse(facts) as Quote).offers.map(({ offer_id }) => offer_id)),
        proposals.map(({ id }) => id)
      ]
    ) {
      assert.isTrue(distinct(ids))
      ids.forEach((id) => assert.isTrue(Schema.is(Uuid)(id)))
    }
    assert.isTrue(distinct(rows.partners.map(({ document_number }) => document_number)))
    assert.isTrue(distinct(rows.users.map(({ email_key }) => email_key)))
    assert.isTrue(distinct(proposals.map(({ number }) => number)))
    assert.isTrue(distinct([...rows.users.map(({ cpf }) => cpf), ...rows.partners.map((one) => one.document_number)]))
  })

  it("hold what the API would take: names, addresses, documents, accounts", () => {
    for (const user of rows.users) {
      assert.deepStrictEqual([Schema.is(Cpf)(user.cpf), Schema.is(Email)(user.email), Schema.is(Name)(user.name)], [
        true,
        true,
        true
      ])
    }
    for (const row of rows.partners) {
      assert.strictEqual(Result.isSuccess(parseCnpj(row.document_number)), row.person_type === "pj")
      const json = (text: string | null): unknown => text === null ? null : JSON.parse(text)
      const detail = {
        ...row,
        partner_id: row.id,
        pix: json(row.pix),
        address: json(row.address),
        bank_account: json(row.bank_account)
      }
      assert.isTrue(Schema.is(PartnerDetail)(detail))
    }
    for (const { application } of rows.applications) {
      assert.isTrue(Schema.is(Customer)(JSON.parse(application.customer)))
    }
    for (const kyc of kycs) {
      assert.isTrue(Schema.is(KycValues)(kyc))
      const { key, type } = kyc.pix ?? { key: null, type: null }
      if (key !== null && type !== null) assert.strictEqual(Result.getOrThrow(parsePixKey(type, key)), key)
    }
  })

  it("keep accents, and what is searched and sorted by without them", () => {
    const accented = rows.users.filter(({ name }) => /[^\x20-\x7e]/.test(name))
    assert.isAbove(accented.length, rows.users.length / 5)
    rows.users.forEach(({ email, name, name_folded }) => {
      assert.strictEqual(name, name.normalize("NFC"))
      assert.match(`${name_folded} ${email}`, /^[\x20-\x7e]+$/)
    })
  })

  it("give the root an administrator who can sign in", () => {
    const [root] = rows.partners
    const [first] = rows.users
    assert.deepStrictEqual([root?.parent_id, root?.status], [null, "active"])
    assert.deepStrictEqual([first?.partner_id, first?.status, first?.must_change_password], [root?.id, "ACTIVE", false])
  })

  it("leave no application with anything to do but for a caller, and come to every end there is", () => {
    assert.isFalse(rows.applications.some(({ application }) => application.unfinished))
    assert.isTrue(proposals.every(({ facts }) => isFinal(JSON.parse(facts) as Proposal)))
    assert.sameMembers([...new Set(proposals.map(({ status }) => status))], ["PAID", "CANCELLED", "REJECTED"])
    assert.sameMembers([...new Set(quotes.map(({ outcome }) => outcome))], ["COMPLETED", "REJECTED", "FAILED"])
    const share = proposals.length / rows.applications.length
    assert.isAbove(share, 0.3)
    assert.isBelow(share, 0.7)
    const again = proposals.filter(({ facts }) => (JSON.parse(facts) as Proposal).disbursement_attempt > 1)
    assert.isAbove(again.length, 0)
    assert.isAbove(rows.applications.filter((one) => one.quotes.length > 1).length, rows.applications.length / 20)
    assert.isTrue(kycs.some((kyc) => !isComplete({ ...noKyc, ...kyc })))
  })

  it("are none where none are wanted", () => {
    assert.deepStrictEqual(rowsOf(1, { partners: 1, users: 0, applications: 0 }).users, [])
  })
})
