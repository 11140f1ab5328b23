import assert from "node:assert/strict"
import { test } from "node:test"
import { acceptOffer, describeStatus, instant, newApplication, newOfferId, runCommand } from "./application.ts"
import { canonicalForm, canonicalPixKey, maskDocument } from "./documents.ts"
import { listCities } from "./page.ts"
import { patchStored, stored } from "./patch.ts"
import { quote } from "./price.ts"
import { checkAccess } from "./scope.ts"

const request = { balance: 3_250.4, birth_date: "1990-05-17", released_on: "2026-03-10", monthly_rate: 1.8 }

test("an offer is priced to the centavo, and its parts add up", () => {
  const offer = quote(request)
  assert(typeof offer === "object")
  assert.equal(offer.net_amount + offer.iof_amount + offer.fee_amount, offer.principal_amount)
  assert.equal(offer.installments.reduce((sum, { amount }) => sum + amount, 0), offer.gross_amount)
  assert.deepEqual(offer.installments.map(({ due_date }) => due_date.slice(4)), Array(5).fill("-05-01"))
})

test("the policy in force on the release date limits the number of withdrawals: three from November 2026 on", () => {
  const offer = quote({ ...request, released_on: "2026-11-01" })
  assert(typeof offer === "object")
  assert.equal(offer.installments.length, 3)
})

test("the loan does not exceed the desired amount", () => {
  const offer = quote({ ...request, desired_amount: 700 })
  assert(typeof offer === "object")
  assert.equal(offer.net_amount, 700_00)
})

test("returns the reason if there is no price", () => {
  assert.equal(quote({ ...request, balance: 0 }), "NO_INSTALLMENTS")
  assert.equal(quote({ ...request, balance: 0.001 }), "balance: INVALID_FORMAT")
  assert.equal(quote({ ...request, birth_date: "1990-02-30" }), "birth_date: INVALID_FORMAT")
  assert.equal(quote({ ...request, monthly_rate: 101 }), "TermsOutOfRange")
})

test("a partner can access itself and its descendants", () => {
  assert.equal(checkAccess("north", "belem-centro"), "ok")
  assert.equal(checkAccess("belem", "belem"), "ok")
  assert.equal(checkAccess("belem", "north"), "forbidden")
  assert.equal(checkAccess("belem", "manaus"), "forbidden")
  assert.equal(checkAccess("belem", "nowhere"), "not found")
})

test("a patch changes only the fields that it contains, and an invalid patch changes nothing", () => {
  assert.deepEqual(patchStored({ partner: { name: " Crédito Fácil S.A. " } }), {
    ...stored,
    name: "Crédito Fácil S.A."
  })
  assert.deepEqual(patchStored({ pix: null }), { ...stored, pix: null })
  assert.deepEqual(patchStored({ partner: { document_number: "11222333000181", phone: "12", colour: "red" } }), [
    "partner.document_number: IMMUTABLE",
    "partner.phone: INVALID_FORMAT",
    "partner.colour: UNKNOWN_FIELD"
  ])
})

test("parses pages, filters and sorting", () => {
  const created_at = "2026-01-31T12:00:00.000Z"
  const cities = ["Belém", "São Luís", "São Paulo"].map((name, index) => ({ name, people: 3 - index, created_at }))
  const found = listCities(cities, { name: "SAO", sort: "people", size: "1000", page: "-1" })
  assert("content" in found)
  assert.deepEqual(found.content.map(({ name }) => name), ["São Paulo", "São Luís"])
  assert.deepEqual(found.page, { number: 0, size: 100, total_elements: 2, total_pages: 1 })
  assert.deepEqual(listCities(cities, { sort: "mayor", size: "x" }), [
    "query.size: INVALID_TYPE",
    "query.sort: UNKNOWN_VALUE"
  ])
})

test("parses documents into their canonical form and masks them", () => {
  assert.equal(canonicalForm("cpf", " 529.982.247-25 "), "52998224725")
  assert.equal(canonicalForm("cpf", "529.982.247-26"), "INVALID_CHECK_DIGIT")
  assert.equal(canonicalForm("cnpj", "12.abc.345/01de-35"), "12ABC34501DE35")
  assert.equal(canonicalForm("phone", "(11) 98765-4321"), "11987654321")
  assert.equal(canonicalForm("email", "maria@"), "INVALID_FORMAT")
  assert.equal(maskDocument("52998224725"), "***.982.247-**")
  assert.equal(canonicalPixKey("PHONE", "11912345684"), "+5511912345684")
  assert.equal(canonicalPixKey("CPF", "11912345684"), "11912345684")
})

test("the state machine accepts and rejects commands", () => {
  const start = instant("2026-03-10T12:00:00-03:00")
  const pending = newApplication(
    { external_id: "1", customer: { cpf: "111.444.777-35", birth_date: "1990-05-17" } },
    start
  )
  assert.equal(describeStatus(pending, start), "QUOTING, WAIT")
  assert.equal(runCommand(pending, acceptOffer(newOfferId(), start)), "NotFound")
  const offer = quote(request)
  assert(typeof offer === "object")
  const offer_id = newOfferId()
  const quoted = runCommand(pending, {
    _tag: "RecordQuote",
    at: start,
    quote_id: pending.quotes[0].quote_id,
    result: {
      kind: "PRICED",
      offers: [{ table: { code: "a", label: "A" }, terms: offer, valid_until: null }],
      unpriced: []
    },
    offer_ids: [offer_id]
  })
  assert(typeof quoted === "object")
  assert.equal(describeStatus(quoted, start), "QUOTED, SUBMIT_KYC")
  assert.equal(describeStatus(quoted, instant("2026-03-11T12:00:00-03:00")), "EXPIRED, REQUOTE")
  assert.equal(runCommand(quoted, acceptOffer(offer_id, start)), "KycIncomplete")
})
