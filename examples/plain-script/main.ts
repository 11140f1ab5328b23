import { reaisOf } from "@lastro/domain/values"
import {
  acceptOffer,
  describeStatus,
  instant,
  newApplication,
  newOfferId,
  runCommand,
  submitKyc
} from "./application.ts"
import { canonicalForm, canonicalPixKey, maskDocument } from "./documents.ts"
import { listCities } from "./page.ts"
import { patchStored } from "./patch.ts"
import { quote } from "./price.ts"
import { checkAccess, partners } from "./scope.ts"

const title = (text: string): void => console.log(`\n${text}`)

title("A price")
const offer = quote({ balance: 3_250.4, birth_date: "1990-05-17", released_on: "2026-03-10", monthly_rate: 1.8 })
if (typeof offer === "string") throw new Error(offer)
console.log(
  `R$ ${reaisOf(offer.net_amount)} now for R$ ${reaisOf(offer.gross_amount)} later, CET ${offer.annual_cet} % a year`
)
for (const { amount, due_date } of offer.installments) console.log(`  ${due_date}  R$ ${reaisOf(amount)}`)

title("A scope")
console.log("north is above", partners.subtree("north").slice(1).join(", "))
console.log(
  "access of belem to belem-centro, manaus and nowhere:",
  ["belem-centro", "manaus", "nowhere"].map((id) => checkAccess("belem", id))
)

title("A patch")
console.log(patchStored({ partner: { name: "  Crédito Fácil S.A. " }, pix: null }))
console.log(patchStored({ partner: { document_number: "11222333000181", phone: "12", colour: "red" } }))

title("A page")
const created_at = "2026-01-31T12:00:00.000Z"
const cities = [["São Paulo", 11_451_999], ["Belém", 1_303_403], ["São Luís", 1_037_775]].map(([name, people]) => ({
  name: String(name),
  people: Number(people),
  created_at
}))
console.log(listCities(cities, { name: "sao", sort: "people,desc", size: "1", page: "-7" }))
console.log(listCities(cities, { sort: "mayor", size: "many" }))

title("Documents")
console.log(
  canonicalForm("cpf", "529.982.247-25"),
  canonicalForm("cnpj", "12.ABC.345/01DE-35"),
  canonicalForm("cpf", "529.982.247-26")
)
console.log(
  maskDocument("529.982.247-25"),
  canonicalPixKey("PHONE", "11912345684"),
  canonicalPixKey("CPF", "11912345684")
)

title("An application, from its first quote to the contract")
const start = instant("2026-03-10T12:00:00-03:00")
const show = (application: ReturnType<typeof runCommand>): Exclude<typeof application, string> => {
  if (typeof application === "string") throw new Error(application)
  console.log(" ", describeStatus(application, application.updated_at))
  return application
}
const pending = show(
  newApplication({ external_id: "loan-1", customer: { cpf: "111.444.777-35", birth_date: "1990-05-17" } }, start)
)
const offer_id = newOfferId()
const quoted = show(runCommand(pending, {
  _tag: "RecordQuote",
  at: instant("2026-03-10T12:00:01-03:00"),
  quote_id: pending.quotes[0].quote_id,
  result: {
    kind: "PRICED",
    offers: [{ table: { code: "standard", label: "Standard" }, terms: offer, valid_until: null }],
    unpriced: []
  },
  offer_ids: [offer_id]
}))
const at = instant("2026-03-10T12:05:00-03:00")
console.log("  accepting before KYC:", runCommand(quoted, acceptOffer(offer_id, at)))
const known = show(runCommand(
  quoted,
  submitKyc(quoted, {
    name: "Maria da Conceição",
    cpf: "11144477735",
    birth_date: "1990-05-17",
    gender: "F",
    civil_status: "SINGLE",
    mother_name: "Ana da Conceição",
    nationality: "Brasileira",
    email: "maria@example.com",
    phone: "11987654321",
    is_pep: false,
    document: { type: "RG", number: "123456789", issuer: "SSP", uf: "SP", issued_at: "2010-03-04" },
    address: {
      zipcode: "01310-100",
      uf: "SP",
      city: "São Paulo",
      neighborhood: "Bela Vista",
      street: "Avenida Paulista",
      number: "1578"
    },
    disbursement_method: "PIX",
    pix: { type: "CPF", key: "111.444.777-35" }
  }, at)
))
const accepted = show(runCommand(known, acceptOffer(offer_id, at)))
const paid = show(runCommand(accepted, {
  _tag: "RecordContract",
  at: instant("2026-03-10T13:00:00-03:00"),
  contract: { reference: "C-1", status: "PAID", signature_url: null, rejection: null, disbursement_attempt: 1 }
}))
console.log(" ", paid.proposal?.status_history.map(({ status }) => status).join(" → "))
