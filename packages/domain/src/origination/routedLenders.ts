import { Effect, Predicate, Result } from "effect"
import { type KycRequirements, unionOfRequirements } from "../kyc/KycRequirements.ts"
import { kycRequirementsOf } from "../lender/LenderRequirements.ts"
import { type LenderRegistry } from "../lender/Lenders.ts"
import { effectiveRouting, narrowRouting, NoLender } from "../lender/Routing.ts"
import { RoutingRepository } from "../lender/RoutingRepository.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { hasPart, partAt } from "../loan/quoteParts.ts"
import { type Quote } from "../offer/Quote.ts"
import { type QuotedLender, type QuoteRouting } from "../offer/QuotePart.ts"
import { type PartnerId } from "../values/ids.ts"

/** Returns the codes of the lenders of an installation, in the order of the settings. */
const codesOf = ({ lenders }: LenderRegistry): ReadonlyArray<string> => lenders.map(({ code }) => code)

/**
 * Returns the effective routing of a partner (ROUTE-01). An installation that was composed with one `Lender` has no
 * routings.
 */
export const routingOf = Effect.fnUntraced(function*(registry: LenderRegistry, partner: PartnerId) {
  const chain = registry.quote_patience_ms === null ? [] : yield* (yield* RoutingRepository).chainOf(partner)
  return effectiveRouting(chain, codesOf(registry))
})

const isActive = ({ lenders }: LenderRegistry) => (code: string): boolean =>
  lenders.some((lender) => lender.code === code && lender.status === "active")

/** The lenders that get new quotes of a partner now, in order, and the strategy of the quotes. */
interface CallableLenders {
  readonly strategy: QuoteRouting["strategy"]
  readonly codes: ReadonlyArray<string>
}

export const callableLenders = (
  registry: LenderRegistry,
  partner: PartnerId
): Effect.Effect<CallableLenders, never, RoutingRepository> =>
  Effect.map(routingOf(registry, partner), ({ lenders, strategy }) => ({
    strategy,
    codes: lenders.filter(isActive(registry))
  }))

/**
 * Returns the codes of the lenders that get new quotes of the partner now. The routing at the start of the quote does
 * not count. Lenders that the quote has requested already are included. Undefined if the quote has requested all its
 * lenders.
 */
export const nextLenders = (
  registry: LenderRegistry,
  application: Application
): Effect.Effect<ReadonlyArray<string> | undefined, never, RoutingRepository> =>
  hasPart(latestQuote(application), "WAITING")
    ? Effect.map(callableLenders(registry, application.partner_id), ({ codes }) => codes)
    : Effect.succeed(undefined)

/** Returns the codes of the pending lenders of a quote whose circuit breaker withholds quote requests now. */
export const withheldLenders = ({ lenders }: LenderRegistry, quote: Quote): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    Effect.filter(
      lenders.filter(({ code }) => partAt(quote, code)?.outcome === "PENDING"),
      ({ lender: { withheld } }) => Effect.map(withheld?.("quote") ?? Effect.succeed(null), Predicate.isNotNull)
    ),
    (found) => found.map(({ code }) => code)
  )

/** Returns the codes of the lenders whose offers can be accepted now. */
export const contractingLenders = ({ lenders }: LenderRegistry): ReadonlyArray<string> =>
  lenders.filter(({ status }) => status !== "stopped").map(({ code }) => code)

/** The lenders of a new quote, its routing, and the combined requirements of its lenders. */
interface QuotePlan {
  readonly lenders: ReadonlyArray<QuotedLender>
  readonly requirements: KycRequirements
  readonly routing?: QuoteRouting
}

/**
 * Returns the plan of a new quote. Fails with NoLender if there is no lender. In an installation that was composed with
 * one `Lender`, the plan has no routing.
 */
export const planOf = (
  { lenders, quote_patience_ms }: LenderRegistry,
  { codes, strategy }: CallableLenders,
  named?: ReadonlyArray<string>
): Result.Result<QuotePlan, NoLender> => {
  const quoted = narrowRouting(codes, named).flatMap((code) =>
    lenders.filter((lender) => lender.code === code).map(({ label, lender }): QuotedLender => ({
      lender: { code, label },
      requirements: kycRequirementsOf(lender.requirements)
    }))
  )
  if (quoted.length === 0) return Result.fail(new NoLender())
  const routing: QuoteRouting = {
    strategy,
    patience_ms: quote_patience_ms ?? 0,
    ...(named === undefined ? {} : { named })
  }
  return Result.succeed({
    lenders: quoted,
    requirements: unionOfRequirements(quoted.map(({ requirements }) => requirements)),
    ...(quote_patience_ms === null ? {} : { routing })
  })
}
