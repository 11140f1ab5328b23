import { type Caller } from "@lastro/domain/access"

/** An order of the shop, and the loan that pays for it. */
export interface Order {
  readonly order_id: string
  readonly total: number
  readonly caller: Caller
  /** The body of `createApplication`. Lastro validates it. */
  readonly loan: object
}

/** The table of the shop. */
export const createOrderTable = `create table if not exists shop_order (
  order_id text primary key, application_id uuid not null, total numeric not null check (total > 0),
  partner_id uuid not null, created_at timestamptz not null default now())`
