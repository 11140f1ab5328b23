import { type DomainEvent } from "@lastro/domain/event"
import { type Lastro, type LastroTransaction, orThrow } from "@lastro/domain/promises"

/** The table of the host: the number of loans that were paid on a day, and their total. */
const createTable = `create table if not exists paid_loans (
  partner_id uuid, day date, loans int not null, amount numeric not null, primary key (partner_id, day))`

/** Counts a paid loan. A second run would count the loan again, so it runs in the transaction of the subscription. */
export const countPaidLoan = async ({ data, partner_id }: DomainEvent, tx: LastroTransaction) => {
  await tx.query(
    `insert into paid_loans values ($1, $2::timestamptz::date, 1, $3::numeric) on conflict (partner_id, day)
      do update set loans = paid_loans.loans + 1, amount = paid_loans.amount + excluded.amount`,
    [partner_id, data["paid_at"], String(data["paid_amount"])]
  )
}

/** Counts every paid loan of a partner and its descendants exactly once, from the first event on. */
export const followPaidLoans = async (lastro: Lastro, partner_id: string, handler = countPaidLoan) => {
  await lastro.atomically((tx) => tx.query(createTable))
  return orThrow(
    await lastro.subscribe("paid-loans", handler, { partner_id, types: ["proposal.paid"], transaction: true })
  )
}
