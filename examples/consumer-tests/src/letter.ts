import { type FgtsApplication } from "@lastro/domain"

const reais = (amount: number): string => `R$ ${amount.toFixed(2)}`

/** What a client is told of how a file stands. */
export const letter = ({ quote, rejection, status }: FgtsApplication): string => {
  switch (status) {
    case "QUOTING":
      return "We are asking for offers."
    case "QUOTED": {
      const best = Math.max(...quote.offers.map(({ net_amount }) => net_amount))
      const offers = quote.offers.length === 1 ? "1 offer" : `${quote.offers.length} offers, the best`
      return `We have ${offers} of ${reais(best)}.`
    }
    case "EXPIRED":
      return "The offers have expired; we are asking for new ones."
    case "REJECTED":
      return rejection?.code === "NO_BALANCE" ? "There is nothing to anticipate." : "The lender says no."
    case "QUOTE_FAILED":
      return "The lender cannot be reached; please come back tomorrow."
    default:
      return "Your contract is on its way."
  }
}
