import {
  type ApplicationId,
  ApplicationRepository,
  asOperator,
  calendarDate,
  DurableWork,
  type Email,
  IdGenerator,
  now,
  opened,
  type PartnerId,
  type QuoteId,
  sandboxCpf
} from "@lastro/domain"
import { Effect } from "effect"

/** Customers whom the sandbox lender answers differently: see docs/sandbox.md for what the two digits mean. */
const customers = [
  { name: "Maria Aparecida Souza", cpf: sandboxCpf("00"), birth_date: calendarDate("1988-03-21") },
  { name: "João Batista Ferreira", cpf: sandboxCpf("92"), birth_date: calendarDate("1979-11-02") },
  { name: "Francisca Conceição Lima", cpf: sandboxCpf("91"), birth_date: calendarDate("1995-07-30") },
  { name: "Antônio Carlos Gonçalves", cpf: sandboxCpf("89"), birth_date: calendarDate("1968-01-15") }
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
