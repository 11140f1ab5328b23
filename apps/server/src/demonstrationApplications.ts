import {
  type ApplicationId,
  ApplicationRepository,
  asOperator,
  calendarDate,
  completeCpf,
  DurableWork,
  type Email,
  IdGenerator,
  now,
  opened,
  type PartnerId,
  type QuoteId
} from "@lastro/domain"
import { Effect } from "effect"

/** Customers whom the sandbox lender answers differently, by the last two digits of their CPF. */
const customers = [
  { name: "Maria Aparecida Souza", cpf: completeCpf("123456789"), birth_date: calendarDate("1988-03-21") },
  { name: "João Batista Ferreira", cpf: completeCpf("234567890"), birth_date: calendarDate("1979-11-02") },
  { name: "Francisca Conceição Lima", cpf: completeCpf("345678901"), birth_date: calendarDate("1995-07-30") },
  { name: "Antônio Carlos Gonçalves", cpf: completeCpf("456789012"), birth_date: calendarDate("1968-01-15") }
] as const

/** Opens a few applications of a partner; the sandbox lender quotes them once the server runs. */
export const fillApplications = Effect.fn("fillApplications")(function*(partner_id: PartnerId) {
  const applications = yield* ApplicationRepository
  const work = yield* DurableWork
  const ids = yield* IdGenerator
  const at = yield* now
  yield* Effect.forEach(customers, ({ birth_date, cpf, name }, index) =>
    Effect.gen(function*() {
      const quote_id = (yield* ids.next) as QuoteId
      const application = opened({
        _tag: "ApplicationOpened",
        at,
        application_id: (yield* ids.next) as ApplicationId,
        external_id: `demo-${index + 1}`,
        partner_id,
        created_by: "demonstration",
        customer: { cpf, birth_date, name, email: `customer${index + 1}@lastro.example` as Email, phone: null },
        quote_id,
        wish: { max_installments: null, desired_amount: null }
      })
      yield* applications.insert(asOperator.inScope(partner_id), application)
      yield* work.startQuote(quote_id)
    }), { discard: true })
})
