import { Effect } from "effect"
import { type Application, latestQuote } from "../loan/Application.ts"
import { type LenderAnswer, unlawfulOffers } from "../loan/checkOffers.ts"

/**
 * Every unlawful offer of the lender is logged as a warning with the id of the quote, the code of the fee table and the
 * rule that the offer breaks. The log contains no personal data.
 * @rule LENDER-15
 */
export const warnOfUnlawfulOffers = (
  application: Application,
  answer: LenderAnswer
): Effect.Effect<void> =>
  Effect.forEach(
    unlawfulOffers(application, answer),
    ({ reason: { detail, rule }, table }) =>
      Effect.annotateLogs(
        Effect.logWarning("the lender sent an unlawful offer; the customer does not see it"),
        { quote_id: latestQuote(application).quote_id, table: table.code, rule, detail }
      ),
    { discard: true }
  )
