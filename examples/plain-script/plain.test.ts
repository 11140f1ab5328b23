import assert from "node:assert/strict"
import { test } from "node:test"
import { accept, after, instant, newOfferId, open, standing } from "./application.ts"
import { canonical, masked, pixKey } from "./documents.ts"
import { listCities } from "./page.ts"
import { patched, stored } from "./patch.ts"
import { quote } from "./price.ts"
import { ask } from "./scope.ts"

const wanted = { balance: 3_250.4, birth_date: "1990-05-17", released_on: "2026-03-10", monthly_rate: 1.8 }

test("an offer is priced to the centavo, and its parts add up", () => {
  const offer = quote(wanted)
  assert(typeof offer === "object")
  assert.equal(offer.net_amount + offer.iof_amount + offer.fee_amount, offer.principal_amount)
  assert.equal(offer.installments.reduce((sum, { amount }) => sum + amount, 0), offer.gross_amount)
  assert.deepEqual(offer.installments.map(({ due_date }) => due_date.slice(4)), Array(5).fill("-05-01"))
})

test("the policy of the day decides how many withdrawals: three from November 2026 on", () => {
  const offer = quote({ ...wanted, released_on: "2026-11-01" })
  assert(typeof offer === "object")
  assert.equal(offer.installments.length, 3)
})

test("no more is lent than is wanted", () => {
  const offer = quote({ ...wanted, desired_amount: 700 })
  assert(typeof offer === "object")
  assert.equal(offer.net_amount, 700_00)
})

test("what cannot be priced says why", () => {
  assert.equal(quote({ ...wanted, balance: 0 }), "NO_INSTALLMENTS")
  assert.equal(quote({ ...wanted, balance: 0.001 }), "balance: INVALID_FORMAT")
  assert.equal(quote({ ...wanted, birth_date: "1990-02-30" }), "birth_date: INVALID_FORMAT")
  assert.equal(quote({ ...wanted, monthly_rate: 101 }), "TermsOutOfRange")
})

test("a partner sees itself and what is below it", () => {
  assert.equal(ask("north", "belem-centro"), "ok")
  assert.equal(ask("belem", "belem"), "ok")
  assert.equal(ask("belem", "north"), "forbidden")
  assert.equal(ask("belem", "manaus"), "forbidden")
  assert.equal(ask("belem", "nowhere"), "not found")
})

test("a patch changes what it names, or nothing", () => {
  assert.deepEqual(patched({ partner: { name: " Crédito Fácil S.A. " } }), { ...stored, name: "Crédito Fácil S.A." })
  assert.deepEqual(patched({ pix: null }), { ...stored, pix: null })
  assert.deepEqual(patched({ partner: { document_number: "11222333000181", phone: "12", colour: "red" } }), [
    "partner.document_number: IMMUTABLE",
    "partner.phone: INVALID_FORMAT",
    "partner.colour: UNKNOWN_FIELD"
  ])
})

test("pages, filters and sorting look the same for every list", () => {
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

test("documents are read into one form, and masked", () => {
  assert.equal(canonical("cpf", " 529.982.247-25 "), "52998224725")
  assert.equal(canonical("cpf", "529.982.247-26"), "INVALID_CHECK_DIGIT")
  assert.equal(canonical("cnpj", "12.abc.345/01de-35"), "12ABC34501DE35")
  assert.equal(canonical("phone", "(11) 98765-4321"), "11987654321")
  assert.equal(canonical("email", "maria@"), "INVALID_FORMAT")
  assert.equal(masked("52998224725"), "***.982.247-**")
  assert.equal(pixKey("PHONE", "11912345684"), "+5511912345684")
  assert.equal(pixKey("CPF", "11912345684"), "11912345684")
})

test("the state machine says what may follow", () => {
  const start = instant("2026-03-10T12:00:00-03:00")
  const pending = open({ external_id: "1", customer: { cpf: "111.444.777-35", birth_date: "1990-05-17" } }, start)
  assert.equal(standing(pending, start), "QUOTING, WAIT")
  assert.equal(after(pending, accept(newOfferId(), start)), "NotFound")
  const offer = quote(wanted)
  assert(typeof offer === "object")
  const offer_id = newOfferId()
  const quoted = after(pending, {
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
  assert.equal(standing(quoted, start), "QUOTED, SUBMIT_KYC")
  assert.equal(standing(quoted, instant("2026-03-11T12:00:00-03:00")), "EXPIRED, REQUOTE")
  assert.equal(after(quoted, accept(offer_id, start)), "KycIncomplete")
})
