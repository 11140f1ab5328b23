import { type Slot } from "../admission/Slot.ts"
import { type Language, preferredLanguage } from "../errors/Language.ts"
import { type Deadline } from "./Deadline.ts"
import { type Incoming } from "./Incoming.ts"

/** A request in the pipeline, with its context and the headers of its response. */
export interface Exchange {
  readonly request: Incoming
  readonly request_id: string
  /** The path as sent, without query and base path. */
  readonly path: string
  /** The path prefix of the API in client URLs. It is empty, or starts with a slash and has no trailing slash. */
  readonly basePath: string
  /** The rate-limit key of the client address. `clientNetwork` computes it. */
  readonly client: string
  /** Response headers by lower-case name. Every step of the pipeline may add headers. */
  readonly headers: Record<string, string>
  /** The slot of the request. Undefined if the request was not subject to admission. */
  readonly slot: Slot | undefined
  readonly deadline: Deadline
}

/** Returns the preferred language of the caller. Parses the header at each call, so call it only for messages. */
export const languageOf = ({ request }: Exchange): Language => preferredLanguage(request.headers["accept-language"])
