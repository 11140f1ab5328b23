import { type AuditEntry } from "@lastro/domain/audit"
import { type Application } from "@lastro/domain/loan"
import { type ApplicationId } from "@lastro/domain/values"
import { type LenderCall, type ScriptedContract } from "../../lender/ScriptedLender.ts"
import { acceptanceRules } from "./acceptanceRules.ts"
import { durabilityRules } from "./durabilityRules.ts"
import { auditedChangeOf, type CallerResponse, type Evidence } from "./Evidence.ts"
import { exitRules } from "./exitRules.ts"
import { type LoanRule, type RuleNumber } from "./LoanRule.ts"
import { quoteRules } from "./quoteRules.ts"

/** A statement of a rule that an application violates. */
export interface Violation {
  readonly rule: RuleNumber
  readonly statement: string
  readonly application_id: ApplicationId
}

const rules: ReadonlyArray<LoanRule> = [...quoteRules, ...acceptanceRules, ...exitRules, ...durabilityRules]

const nothingLost = "Every response and every contract belongs to a stored application"

/** All statements of the loan rules. */
export const loanStatements: ReadonlyArray<string> = [nothingLost, ...rules.map(({ statement }) => statement)]

/**
 * Returns the statements of the loan rules that one application violates. Expected outcomes are computed without the
 * domain's functions. Statements about commands or audit entries that were not recorded count as satisfied.
 */
export const findViolations = (evidence: Evidence): ReadonlyArray<Violation> =>
  rules.filter(({ isKept }) => !isKept(evidence)).map(({ rule, statement }) => ({
    rule,
    statement,
    application_id: evidence.application.application_id
  }))

/** All stored data, calls to the lender and responses to callers, after all durable jobs have ended. */
export interface OriginationRecords {
  readonly applications: ReadonlyArray<Application>
  /** The audit entries of the applications, oldest first. */
  readonly audit: ReadonlyArray<AuditEntry>
  readonly contracts: ReadonlyArray<ScriptedContract>
  readonly calls: ReadonlyArray<LenderCall>
  readonly responses: ReadonlyArray<CallerResponse>
}

const subjectOf = (response: CallerResponse): ApplicationId =>
  response._tag === "Quoting" ? response.application_id : response.answer.application_id

/**
 * Returns the statements of the loan rules that any application violates. For races, where commands are not recorded.
 */
export const findAllViolations = (
  { applications, audit, calls, contracts, responses }: OriginationRecords
): ReadonlyArray<Violation> => {
  const stored = new Set(applications.map(({ application_id }) => application_id))
  const auditOf = Map.groupBy(audit, ({ subject_id }) => subject_id)
  const contractsOf = Map.groupBy(contracts, ({ application_id }) => application_id)
  const responsesOf = Map.groupBy(responses, subjectOf)
  const submissionsOf = Map.groupBy(
    calls.flatMap((call) => call._tag === "Submit" ? [call.submission] : []),
    ({ application_id }) => application_id
  )
  const lost = [...responsesOf.keys(), ...contractsOf.keys()].filter((id) => !stored.has(id))
  return [
    ...lost.map((application_id): Violation => ({ rule: 7, statement: nothingLost, application_id })),
    ...applications.flatMap((application) => {
      const { application_id } = application
      return findViolations({
        application,
        observations: [],
        audit: (auditOf.get(application_id) ?? []).map(auditedChangeOf),
        contracts: contractsOf.get(application_id) ?? [],
        submissions: submissionsOf.get(application_id) ?? [],
        responses: responsesOf.get(application_id) ?? [],
        pending: []
      })
    })
  ]
}
