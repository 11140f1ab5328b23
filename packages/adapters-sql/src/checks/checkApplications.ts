import { emptyKyc, isComplete } from "@lastro/domain/kyc"
import { type Application, courseOf, findOffer, isUnfinished, latestQuote } from "@lastro/domain/loan"
import {
  hasExternalIdLeft,
  isContracted,
  proposalListItem,
  readProposal,
  storeProposal
} from "@lastro/domain/origination"
import { timestampOf } from "@lastro/domain/values"
import { Effect, Equal, Result } from "effect"
import { SqlClient } from "effect/sql"
import { listedValue, listItemOf, placementValues, proposalValues } from "../origination/applicationRow.ts"
import { type Finding, maxExamples } from "./Finding.ts"
import { type ProposalColumns, readStored, type StoredApplication, visitStored } from "./storedApplications.ts"

/** Returns the invariants that an application violates. If its facts cannot be read, returns only that one. */
export const violationsOf = (row: StoredApplication): ReadonlyArray<string> => {
  const judge = (application: Application) =>
    Result.try(() =>
      applicationInvariants.filter(([, holds]) => !holds(application, row)).map(([invariant]) => invariant)
    )
  return Result.getOrElse(Result.flatMap(readStored(row), judge), () => [readableApplication])
}

/**
 * Checks every application and returns a finding for each violated invariant. Damaged data never makes this effect
 * fail.
 */
export const checkApplications = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const invariants = [readableApplication, ...applicationInvariants.map(([invariant]) => invariant)]
  const findings = new Map(invariants.map((invariant) => [invariant, { count: 0, examples: new Array<string>() }]))
  yield* visitStored(sql, (row) =>
    Effect.sync(() => {
      for (const invariant of violationsOf(row)) {
        const finding = findings.get(invariant)
        if (finding === undefined) continue
        finding.count++
        if (finding.examples.length < maxExamples) finding.examples.push(row.application_id)
      }
    }))
  return Array.from(findings, ([invariant, finding]): Finding => ({ invariant, ...finding }))
    .filter(({ count }) => count > 0)
})

/**
 * Converts a stored time to a comparable text. A time that JavaScript cannot represent, such as `infinity`, equals no
 * timestamp.
 */
const comparableTime = (text: string): string => {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? text : timestampOf(ms)
}

/** Returns the column `listed` as this version writes it, for a comparison. */
const comparableListed = (listed: StoredApplication["listed"]) => ({
  ...listed,
  proposal: listed.proposal === null ? null : JSON.parse(JSON.stringify(storeProposal(readProposal(listed.proposal))))
})

/**
 * Returns whether the stored course equals that of the application, and the stored place and its times are one step of
 * this course. After a deletion of the partner, neighbouring steps can have the same place. They count as one step in
 * the comparison of the courses. Returns true if an earlier version of Lastro wrote the facts without a course.
 */
const matchesCourse = (application: Application, stored: StoredApplication): boolean => {
  const { course, place, place_from, place_until, placed_version } = stored
  if (placed_version !== application.version) return true
  if (place === null) return false
  const steps = course ?? [{ place }]
  const current = steps.findIndex(({ from = "-infinity" }) => from === comparableTime(place_from))
  const expected = courseOf(application)
  return steps[current]?.place === place && (steps[current + 1]?.from ?? "infinity") === comparableTime(place_until) &&
    Equal.equals(
      steps.filter((step, index) => step.place !== steps[index - 1]?.place),
      [{ place: expected.place }, ...expected.later]
    )
}

/** Returns whether the derived columns of an application match its facts. */
export const matchesApplicationFacts = (application: Application, stored: StoredApplication): boolean => {
  const { cpf, listed, live_until, rejection_code, stage, unfinished } = stored
  return cpf === application.customer.cpf &&
    Equal.equals(comparableListed(listed), JSON.parse(listedValue(application))) &&
    unfinished === isUnfinished(application) &&
    Equal.equals(placementValues(application), {
      stage,
      rejection_code,
      live_until: comparableTime(live_until)
    }) &&
    matchesCourse(application, stored)
}

/** Returns whether the derived columns of the quotes of an application match their facts. */
export const matchesQuoteFacts = ({ quotes }: Application, { quote_columns }: StoredApplication): boolean =>
  Equal.equals(quotes.map(({ number, outcome, quote_id }) => [quote_id, number, outcome]), quote_columns)

/** Columns of a proposal that the previous version does not write. Nodes of this version fill them in later. */
const laterColumns: ReadonlySet<string> = new Set(["created_by", "lender", "table_code", "paid_at"])

const matchesColumns = (
  application: Application,
  columns: ProposalColumns | null,
  isPlaced: boolean
): boolean => {
  if (!isContracted(application)) return columns === null
  if (columns === null) return false
  if (Result.isFailure(findOffer(application, application.proposal.offer_id))) return true
  const { facts: _facts, list_item: _item, watched_until, ...derived } = proposalValues(application)
  // Nodes of versions before the column `watched_until` do not update it.
  if (columns.watched_until !== null && watched_until !== null) {
    if (comparableTime(columns.watched_until) !== watched_until) return false
  }
  // Compare only the columns that this version knows. A newer version may have more.
  const known = Object.fromEntries(Object.entries(columns).filter(([column]) => column in derived))
  return columns.partner_id === application.partner_id && Equal.equals(derived, {
    ...known,
    created_at: comparableTime(columns.created_at),
    updated_at: comparableTime(columns.updated_at),
    paid_at: columns.paid_at === null ? null : comparableTime(columns.paid_at),
    ...isPlaced ? {} : Object.fromEntries(Object.entries(derived).filter(([column]) => laterColumns.has(column)))
  }) && Equal.equals(
    listItemOf(columns.list_item, { quotes: application.quotes, proposal: storeProposal(application.proposal) }),
    proposalListItem(application)
  )
}

/**
 * Returns whether the derived columns of a proposal match its application. Returns true if the accepted offer is
 * missing: another invariant reports that.
 */
export const matchesProposalFacts = (
  application: Application,
  { placed_version, proposal_columns }: StoredApplication
): boolean => matchesColumns(application, proposal_columns, placed_version === application.version)

type ApplicationInvariant = readonly [
  invariant: string,
  holds: (application: Application, stored: StoredApplication) => boolean
]

/** The invariant that is checked first. If it is violated, {@link applicationInvariants} are not checked. */
export const readableApplication = "The stored facts of an application can be read"

/** The invariants of one application, each with a function of the domain that checks it. */
const applicationInvariants: ReadonlyArray<ApplicationInvariant> = [
  ["An application's columns match its facts", matchesApplicationFacts],
  ["A quote's columns match its facts", matchesQuoteFacts],
  [
    "Quotes are numbered without gaps, and only the latest is pending",
    ({ quotes }) =>
      quotes.every(({ number, outcome }, index) =>
        number === index + 1 && (outcome !== "PENDING" || number === quotes.length)
      )
  ],
  [
    "An accepted offer belongs to the application's latest quote",
    (application) =>
      application.proposal === null ||
      latestQuote(application).offers.some(({ offer_id }) => offer_id === application.proposal?.offer_id)
  ],
  [
    "No offer is accepted without a complete KYC",
    ({ erased_at, kyc, proposal, requirements }) =>
      proposal === null || erased_at !== null || isComplete(kyc ?? emptyKyc, requirements)
  ],
  ["A proposal's columns match its facts", matchesProposalFacts],
  ["An erased application has no external id (PRIV-14)", (application) => !hasExternalIdLeft(application)]
]
