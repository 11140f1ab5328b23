import { type Application } from "@lastro/domain/loan"
import { Equal } from "effect"
import { type Evidence, type Observation, type ObservedCommand, type Snapshot, snapshotOf } from "./Evidence.ts"

/**
 * The number of a rule of loan origination:
 *
 * 1. A request for another quote supersedes all older offers.
 * 2. Late quote results are ignored.
 * 3. An acceptance requires an available offer, a complete KYC and accepted terms.
 * 4. At most one offer is accepted, and only once.
 * 5. An acceptance locks the KYC.
 * 6. Offers comply with the policy.
 * 7. Data that was returned to a caller is never lost.
 */
export type RuleNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7

/** One statement of a rule, with its check. A rule can have several statements. */
export interface LoanRule {
  readonly rule: RuleNumber
  readonly statement: string
  readonly isKept: (evidence: Evidence) => boolean
}

/** An observed command to an existing application. */
export interface Step extends Observation {
  readonly before: Application
}

/** An observed command of one kind. */
export type StepOf<Tag extends ObservedCommand["_tag"]> = Step & { readonly command: { readonly _tag: Tag } }

const isStep = (observation: Observation): observation is Step => observation.before !== null

/** Makes a rule for every observed command to an existing application. */
export const onEveryStep = (
  rule: RuleNumber,
  statement: string,
  isKept: (step: Step) => boolean
): LoanRule => ({
  rule,
  statement,
  isKept: ({ observations }) => observations.filter(isStep).every(isKept)
})

/** Makes a rule for every observed command of one kind. */
export const onEvery = <Tag extends ObservedCommand["_tag"]>(
  tag: Tag,
  rule: RuleNumber,
  statement: string,
  isKept: (step: StepOf<Tag>) => boolean
): LoanRule => {
  const isOfKind = (step: Step): step is StepOf<Tag> => step.command._tag === tag
  return onEveryStep(rule, statement, (step) => !isOfKind(step) || isKept(step))
}

/** Makes a rule for every observed or audited change. */
export const onEveryChange = (
  rule: RuleNumber,
  statement: string,
  isKept: (before: Snapshot, after: Snapshot | null) => boolean
): LoanRule => ({
  rule,
  statement,
  isKept: ({ audit, observations }) =>
    observations.filter(isStep).every(({ after, before }) => isKept(snapshotOf(before), snapshotOf(after))) &&
    (audit ?? []).every(({ after, before }) => before === null || isKept(before, after))
})

/** Makes the rule that a refused command of one kind changes nothing. */
export const refusalChangesNothing = (tag: ObservedCommand["_tag"], rule: RuleNumber): LoanRule =>
  onEvery(
    tag,
    rule,
    `A failed ${tag} command changes nothing`,
    ({ after, before, outcome }) => outcome === "done" || Equal.equals(before, after)
  )
