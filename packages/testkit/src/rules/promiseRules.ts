import { type Application, latestQuote } from "@lastro/domain"
import { Equal } from "effect"
import { type OriginationRule, type Told } from "./Origination.ts"

const isTrue = ({ application_id, proposal, quotes }: Application, told: Told): boolean =>
  told._tag === "Quoting"
    ? quotes.some(({ quote_id }) => quote_id === told.quote_id)
    : Equal.equals(told.answer, {
      application_id,
      offer_id: proposal?.offer_id,
      proposal_id: proposal?.proposal_id,
      status: "CONTRACTING"
    })

/** What callers may rely on, whatever happens at once. */
export const promiseRules: ReadonlyArray<OriginationRule> = [
  [
    "Nothing a caller was told is lost, and all were told of the same",
    (application, { told }) => told.every((one) => isTrue(application, one))
  ],
  [
    "Every quote and every contract comes to an end",
    ({ proposal, quotes }) => quotes.every(({ outcome }) => outcome !== "PENDING") && proposal?.status !== "SUBMITTING"
  ],
  [
    "Each deed found what the one before it left, and what the last one left is kept",
    (application, { deeds }) => {
      const { number, outcome, rejection } = latestQuote(application)
      const last = deeds.at(-1)?.after
      return deeds.every(({ before }, index) => Equal.equals(before, deeds[index - 1]?.after ?? null)) &&
        Equal.equals(last?.quote, { number, outcome, rejection: rejection?.code ?? null }) &&
        last?.proposal?.status === application.proposal?.status
    }
  ]
]
