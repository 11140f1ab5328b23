import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { type Application } from "@lastro/domain/loan"
import { type QuotePart, rejectionReason } from "@lastro/domain/offer"
import { ApplicationRepository } from "@lastro/domain/origination"
import { centavos } from "@lastro/domain/values"
import { anApplication, exampleInstant, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { givenVisitor, withConsole } from "./TextBrowser.ts"

const rejection = rejectionReason("LENDER_POLICY", "Fora da política.")

/** A part of each outcome, with the status that the page shows. */
const outcomes = [
  ["COMPLETED", "Answered", "One offer"],
  ["REJECTED", "No offer", "Fora da política."],
  ["PENDING", "Late", "Its offers are added here if it still answers."],
  ["FAILED", "Not available", "The lender did not answer."],
  ["SKIPPED", "Not requested", "Its answer is not needed."]
] as const

const partOf = (outcome: QuotePart["outcome"], index: number): QuotePart => ({
  lender: { code: `bank-${index}`, label: `Banco ${index}` },
  outcome,
  rejection: outcome === "REJECTED" ? rejection : null,
  asked_at: exampleInstant,
  completed_at: outcome === "PENDING" ? null : exampleInstant
})

/** Splits the only quote of an application into parts. Its offers are those of the first and of the last lender. */
const inParts = (application: Application, parts: ReadonlyArray<QuotePart>): Application => {
  const [quote] = application.quotes
  const offers = quote.offers.map((offer, index) => ({
    ...offer,
    lender: `bank-${index === 0 ? 0 : parts.length - 1}`
  }))
  return { ...application, quotes: [{ ...quote, offers, parts, routing: { strategy: "ALL", patience_ms: 15_000 } }] }
}

const rowsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<tr>(<td[^]*?)<\/tr>/g)].map(([, row = ""]) => row.replaceAll(/<[^>]*>/g, "|"))

const shown = Effect.fnUntraced(function*(application: Application) {
  const root = yield* storeRootPartner()
  const { browser } = yield* givenVisitor(root)
  const owned = { ...application, partner_id: root.partner_id }
  yield* (yield* ApplicationRepository).insert(asOperator.inScope(root.partner_id), owned)
  return (yield* browser.get(`/console/applications/${application.application_id}`)).text
})

describe("offers in the console", () => {
  it.effect("several lenders are listed with the state of their answers, and the best offer is marked", () =>
    withConsole(Effect.gen(function*() {
      const application = yield* anApplication().quoted(centavos(90_000), centavos(70_000))
      const text = yield* shown(inParts(application, outcomes.map(([outcome], index) => partOf(outcome, index))))
      const rows = rowsOf(text)
      assert.lengthOf(rows, outcomes.length)
      for (const [index, [, status, answer]] of outcomes.entries()) {
        assert.include(rows[index], `|Banco ${index}|`)
        assert.include(rows[index], `|${status}|`)
        assert.include(rows[index], `|${answer}|`)
      }
      const cards = text.split("<section class=\"card offer").slice(1)
      assert.deepStrictEqual(
        cards.map((card) => [card.includes("Best offer"), card.includes("Banco 0"), card.includes("Banco 4")]),
        [[true, true, false], [false, false, true]]
      )
      assert.include(text, "data-follow")
    })))

  it.effect("a quote that waits shows who has answered", () =>
    withConsole(Effect.gen(function*() {
      const application = yield* anApplication()
      const text = yield* shown(inParts(application, [partOf("COMPLETED", 0), partOf("PENDING", 1)]))
      const [first, second] = rowsOf(text)
      assert.include(first, "|Its offers are shown as soon as the quote is complete.|")
      assert.include(second, "|Waiting|")
    })))

  it.effect("a quote of one lender has no table of lenders", () =>
    withConsole(Effect.gen(function*() {
      const text = yield* shown(yield* anApplication().quoted())
      assert.notInclude(text, "<h2>Lenders</h2>")
      assert.include(text, "Best offer")
    })))
})
