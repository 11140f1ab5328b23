import { type FgtsApplication } from "@lastro/domain/origination"

const reais = (amount: number): string => `R$ ${amount.toFixed(2)}`

/** Formats the status of an application as a sentence for the client. */
export const letter = ({ quote, rejection, status }: FgtsApplication): string => {
  switch (status) {
    case "QUOTING":
      return "We have requested offers."
    case "QUOTED": {
      const best = Math.max(...quote.offers.map(({ net_amount }) => net_amount))
      const offers = quote.offers.length === 1 ? "1 offer" : `${quote.offers.length} offers, the best`
      return `We have ${offers} of ${reais(best)}.`
    }
    case "EXPIRED":
      return "The offers have expired. We have requested new ones."
    case "REJECTED":
      return rejection?.code === "NO_BALANCE"
        ? "Your FGTS account has no balance."
        : "The lender declined the application."
    case "QUOTE_FAILED":
      return "The lender is unavailable. Please come back tomorrow."
    default:
      return "Your contract is in progress."
  }
}
