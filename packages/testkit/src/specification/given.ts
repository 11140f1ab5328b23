import { decide, evolve, opened } from "@lastro/domain"
import { specification } from "./specification.ts"

/**
 * Specifies what applications decide: `given(opening, quoteCompleted).when(acceptOffer).then([offerAccepted])`, or a refusal in
 * place of the events.
 */
export const given = specification({ begin: opened, decide, evolve })
