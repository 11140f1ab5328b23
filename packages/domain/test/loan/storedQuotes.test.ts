import { assert, describe, it } from "@effect/vitest"
import { jobName, jobsOf } from "../../src/jobs/Job.ts"
import { type Application } from "../../src/loan/Application.ts"
import { nextPatience } from "../../src/loan/continueQuote.ts"
import { openParts, partAt, partsOf } from "../../src/loan/quoteParts.ts"
import { type Quote } from "../../src/offer/Quote.ts"
import { fgtsQuote } from "../../src/origination/FgtsQuote.ts"
import { applyCommands, noon, priceQuote, quotedApplication } from "./examples.ts"
import stored from "./storedQuotes.json" with { type: "json" }

/** The quotes that the version before the parts of quotes stored. */
const samples = Object.entries(stored).map(([name, quote]) => [name, quote as unknown as Quote] as const)

/** An application whose second quote is a stored one. */
const applicationWith = (quote: Quote): Application => {
  const application = quotedApplication()
  return { ...application, quotes: [application.quotes[0], quote] }
}

describe("quotes that the version before parts stored", () => {
  it.each(samples)("QUOTE-01 a quote is read as one part: %s", (_, quote) => {
    assert.notProperty(quote, "parts")
    assert.notProperty(quote, "routing")
    const { completed_at, outcome, rejection } = quote
    const [part, ...others] = partsOf(quote)
    assert.isEmpty(others)
    assert.deepInclude(part, { outcome, rejection, completed_at, asked_at: quote.created_at })
    assert.deepStrictEqual(partAt(quote, "whatever the lender is named"), part)
    assert.isNull(nextPatience(quote, noon, 600_000))
    const { open_parts, parts, strategy } = fgtsQuote(applicationWith(quote), quote, noon)
    assert.deepStrictEqual([open_parts, openParts(quote), strategy], [outcome === "PENDING" ? 1 : 0, open_parts, "ALL"])
    assert.deepStrictEqual(parts.map(({ lender, status }) => [lender, status]), [[null, outcome]])
  })

  it("QUOTE-01 JOB-10 a pending quote has the job that it had before, which completes it", () => {
    const pending = applicationWith(stored.QUOTING as unknown as Quote)
    assert.deepStrictEqual(jobsOf(pending).map(jobName), [`quote/${stored.QUOTING.quote_id}`])
    const { quotes: [, completed] } = applyCommands(pending, { ...priceQuote(2), lender: "sandbox" })
    assert.strictEqual(completed?.outcome, "COMPLETED")
    assert.deepStrictEqual(completed?.offers.map(({ lender }) => lender), ["sandbox", "sandbox"])
  })
})
