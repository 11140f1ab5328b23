import { eachSum, selectSums, sumChanges } from "../commission/storedSums.ts"
import { type Invariant } from "./Finding.ts"

const sums = `select viewer_id, period, partner_id, ${eachSum((column) => column)} from`

/** SQL: the share of the root in a frozen commission (millionths, as a fraction of the basis amount). */
const ofRoot = "(proposal.commission #>> '{chain,0,share}')::numeric / 1000000"

/** The invariants of the ledger of commissions (rules COMM-12, COMM-13, COMM-19 and COMM-21). */
export const commissionInvariants: ReadonlyArray<Invariant> = [
  [
    "The accruals of a contract add up to what the lender pays",
    `select proposal.id::text as example
    from commission_entry item join proposal on proposal.id = item.proposal_id
    where item.kind = 'ACCRUAL' group by proposal.id
    having sum(item.amount) <> round(max(item.basis_amount) * ${ofRoot})`
  ],
  [
    "The accruals of a contract of the host add up to what the lender pays",
    `select contract.id::text as example
    from commission_entry item join commission_contract contract on contract.id = item.proposal_id
    where item.kind = 'ACCRUAL' group by contract.id
    having sum(item.amount) <>
      round(max(item.basis_amount) * (contract.frozen #>> '{chain,0,share}')::numeric / 1000000)`
  ],
  [
    "Every paid contract with a frozen commission has accrued it",
    `select proposal.id::text as example from proposal
    where commission is not null and status in ('PAID', 'SETTLED', 'REFUND_PENDING') and paid_at is not null
      and round(net_amount * ${ofRoot}) > 0
      and not exists (select from commission_entry item where item.proposal_id = proposal.id and item.kind = 'ACCRUAL')`
  ],
  [
    "The clawbacks of a contract negate its accruals",
    `select item.proposal_id::text as example from commission_entry item
    where item.kind <> 'ADJUSTMENT'
    group by grouping sets ((item.proposal_id, item.partner_id), (item.proposal_id))
    having bool_or(item.kind = 'CLAWBACK') and sum(item.amount) <> 0`
  ],
  [
    "A payout is the sum of its entries",
    `select payout.id::text as example from commission_payout payout
    where payout.amount <> (
      select coalesce(sum(item.amount), 0) from commission_entry item where item.payout_id = payout.id
    )`
  ],
  [
    "The stored sums of commissions are those of the entries",
    `select example.viewer_id::text as example from (
      (${sums} (${selectSums("commission_entry", sumChanges.append)}) entries except ${sums} commission_sum)
      union all
      (${sums} commission_sum except ${sums} (${selectSums("commission_entry", sumChanges.append)}) entries)
    ) example`
  ],
  [
    "Every viewer of an entry has it in its lists",
    `select example.entry_id::text as example from (
      select unnest(viewers) as viewer_id, occurred_at, id as entry_id, period, amount from commission_entry
      except select viewer_id, occurred_at, entry_id, period, amount from commission_visible
    ) example`
  ]
]
