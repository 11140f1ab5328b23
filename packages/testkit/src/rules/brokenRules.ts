import { type ApplicationId } from "@lastro/domain"
import { acceptanceRules } from "./acceptanceRules.ts"
import { auditedDeed } from "./AuditedApplication.ts"
import { type Known, type Origination, type Told } from "./Origination.ts"
import { promiseRules } from "./promiseRules.ts"
import { quoteRules } from "./quoteRules.ts"

/** A rule that an application breaks. */
export interface BrokenRule {
  readonly rule: string
  readonly application_id: ApplicationId
}

const rules = [...quoteRules, ...acceptanceRules, ...promiseRules]

const nothingUnknown = "Nothing is known of an application that is not kept"

/** Every rule of origination, as a sentence. */
export const originationRules: ReadonlyArray<string> = [nothingUnknown, ...rules.map(([rule]) => rule)]

const subjectOf = (told: Told): ApplicationId =>
  told._tag === "Quoting" ? told.application_id : told.answer.application_id

/**
 * The rules of origination that are broken by anything that is kept, that the lender has, or that a caller was told: for ends to
 * which many came at once, whatever the order, so that only facts and the audit are left to judge by. What single steps do is
 * held by `brokenInStory`, which judges apart from the domain.
 */
export const brokenRules = (origination: Origination): ReadonlyArray<BrokenRule> => {
  const kept = new Set(origination.applications.map(({ application_id }) => application_id))
  const deeds = Map.groupBy(origination.audit, ({ subject_id }) => subject_id)
  const contracts = Map.groupBy(origination.contracts, ({ application_id }) => application_id)
  const told = Map.groupBy(origination.told, subjectOf)
  const submissions = Map.groupBy(
    origination.calls.flatMap((call) => call._tag === "Submit" ? [call.submission] : []),
    ({ application_id }) => application_id
  )
  const lost = [...told.keys(), ...contracts.keys()].filter((application_id) => !kept.has(application_id))
  return [
    ...lost.map((application_id) => ({ rule: nothingUnknown, application_id })),
    ...origination.applications.flatMap((application) => {
      const { application_id } = application
      const known: Known = {
        deeds: (deeds.get(application_id) ?? []).map(auditedDeed),
        contracts: contracts.get(application_id) ?? [],
        submissions: submissions.get(application_id) ?? [],
        told: told.get(application_id) ?? []
      }
      return rules.filter(([, isKept]) => !isKept(application, known)).map(([rule]) => ({ rule, application_id }))
    })
  ]
}
