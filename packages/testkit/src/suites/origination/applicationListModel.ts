import {
  type Application,
  ApplicationStatus,
  lastExpiryOf,
  latestQuote,
  NextAction,
  ProposalStatus
} from "@lastro/domain/loan"
import { rejectionCodes } from "@lastro/domain/offer"
import { type ApplicationFilters, fgtsApplicationListItem } from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { addMillis, saoPauloMidnight, type Timestamp } from "@lastro/domain/values"
import * as fc from "fast-check"
import { sparse } from "../../arbitraries/paging.ts"
import { includesEntries } from "../input/listModelCases.ts"

/** Lists the times at or near which the status of an application changes. */
export const instantsOf = ({ created_at, quotes, updated_at }: Application): ReadonlyArray<Timestamp> =>
  [
    created_at,
    updated_at,
    ...quotes.flatMap(({ blocked_until, offers, rejection }) => [
      ...offers.map(({ expires_at }) => expires_at),
      ...blocked_until === undefined ? [] : [saoPauloMidnight(blocked_until)],
      ...rejection === null || rejection.retry_at === null ? [] : [rejection.retry_at]
    ])
  ]
    .flatMap((at) => [addMillis(at, -1), at, addMillis(at, 1)])

/** A random number for some filters of a query. It selects one of the filter's {@link filterValues}. */
export const filterDraws: fc.Arbitrary<Partial<Record<keyof ApplicationFilters, number>>> = sparse({
  external_id: fc.nat(),
  cpf: fc.nat(),
  status: fc.nat(),
  next_action: fc.nat(),
  proposal_status: fc.nat(),
  rejection_code: fc.nat(),
  partner_id: fc.nat(),
  created_by: fc.nat(),
  metadata: fc.nat(),
  created_from: fc.nat(),
  created_to: fc.nat(),
  updated_from: fc.nat(),
  updated_to: fc.nat(),
  expires_from: fc.nat(),
  expires_to: fc.nat(),
  retry_from: fc.nat(),
  retry_to: fc.nat()
})

/** Returns the value that a random number selects. Undefined if there are no values. */
export const pick = <A>(values: ReadonlyArray<A>, draw: number): A | undefined =>
  values[draw % Math.max(1, values.length)]

/** Returns the list item of an application with its full CPF, and the time at which its last offer expires. */
export const item = (application: Application, at: Timestamp) => ({
  ...fgtsApplicationListItem(application, at, "full"),
  last_expiry: lastExpiryOf(latestQuote(application))
})

/** The list item of an application, with the time at which its last offer expires. */
export type Item = ReturnType<typeof item>

/** Returns each value alone, and each value with the next two. */
const setsOf = <A>(values: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => [
  ...values.map((value) => [value]),
  ...values.map((_, index) => values.slice(index, index + 3))
]

const retryOf = ({ rejection }: Item): Timestamp | null => rejection?.retry_at ?? null

/** Returns each time that is not null, and the millisecond after it. */
const around = (times: ReadonlyArray<Timestamp | null>): ReadonlyArray<Timestamp> =>
  times.flatMap((at) => at === null ? [] : [at, addMillis(at, 1)])

/** Returns the values of each filter from which a query chooses. Most of them match some items. */
export const filterValues = (
  items: ReadonlyArray<Item>,
  partners: ReadonlyArray<PartnerDetail>
): { readonly [K in keyof ApplicationFilters]-?: ReadonlyArray<NonNullable<ApplicationFilters[K]>> } => ({
  external_id: setsOf(items.map(({ external_id }) => external_id)),
  cpf: items.map(({ customer }) => customer.cpf as NonNullable<ApplicationFilters["cpf"]>),
  status: setsOf(ApplicationStatus.literals),
  next_action: setsOf(NextAction.literals),
  proposal_status: setsOf(ProposalStatus.literals),
  created_by: items.map(({ created_by }) => created_by),
  rejection_code: [...items.flatMap(({ rejection }) => rejection === null ? [] : [rejection.code]), ...rejectionCodes],
  partner_id: partners.map(({ partner_id }) => partner_id),
  metadata: items.flatMap(({ metadata }) => {
    const [first, ...others] = Object.entries(metadata)
    return first === undefined ? [] : [Object.fromEntries([first]), Object.fromEntries([first, ...others])]
  }),
  created_from: items.map(({ created_at }) => created_at),
  created_to: items.map(({ created_at }) => created_at),
  updated_from: items.map(({ updated_at }) => updated_at),
  updated_to: items.map(({ updated_at }) => updated_at),
  expires_from: around(items.map(({ last_expiry }) => last_expiry)),
  expires_to: around(items.map(({ last_expiry }) => last_expiry)),
  retry_from: around(items.map(retryOf)),
  retry_to: around(items.map(retryOf))
})

/** Returns whether a time is in a range, whose bounds are optional. Null is in no range that has a bound. */
const isBetween = (at: Timestamp | null, from: Timestamp | undefined, to: Timestamp | undefined): boolean =>
  from === undefined && to === undefined ||
  at !== null && (from === undefined || from <= at) && (to === undefined || at < to)

/** Returns whether an item matches the filters. */
export const matches = (item: Item, filters: ApplicationFilters): boolean =>
  (filters.external_id?.includes(item.external_id) ?? true) &&
  (filters.cpf === undefined || item.customer.cpf === filters.cpf) &&
  (filters.status?.includes(item.status) ?? true) &&
  (filters.next_action?.includes(item.next_action) ?? true) &&
  (filters.proposal_status?.some((status) => status === item.proposal_status) ?? true) &&
  (filters.created_by === undefined || item.created_by === filters.created_by) &&
  (filters.rejection_code === undefined || item.rejection?.code === filters.rejection_code) &&
  (filters.partner_id === undefined || item.partner_id === filters.partner_id) &&
  includesEntries(item.metadata, filters.metadata ?? {}) &&
  (filters.created_from === undefined || filters.created_from <= item.created_at) &&
  (filters.created_to === undefined || item.created_at < filters.created_to) &&
  (filters.updated_from === undefined || filters.updated_from <= item.updated_at) &&
  (filters.updated_to === undefined || item.updated_at < filters.updated_to) &&
  isBetween(item.status === "QUOTED" ? item.last_expiry : null, filters.expires_from, filters.expires_to) &&
  isBetween(item.status === "REJECTED" ? retryOf(item) : null, filters.retry_from, filters.retry_to)
