import { type Application, type Quote } from "@lastro/domain"
import { type Observation } from "./Observed.ts"

/** What shows that a rule is broken; empty when it holds. */
export type Complaints = ReadonlyArray<string | false>

/** Something done to an application that was there. */
export interface Change extends Observation {
  readonly before: Application
}

/** Whether it was done to an application that was there. */
export const isChange = (one: Observation): one is Change => one.before !== null

/** The complaint, unless what is to hold does. */
export const unless = (holds: boolean, why: string): string | false => !holds && why

/** The quote of the same id in an application. */
export const quoteIn = ({ quotes }: Application, { quote_id }: Pick<Quote, "quote_id">): Quote | undefined =>
  quotes.find((quote) => quote.quote_id === quote_id)
