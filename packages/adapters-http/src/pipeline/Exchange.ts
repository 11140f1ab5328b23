import { type HttpServerRequest } from "effect/http"
import { type Language, preferredLanguage } from "../errors/Language.ts"

/** A request on its way through the pipeline, with what is known of it and the headers its answer will carry. */
export interface Exchange {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly request_id: string
  /** The path without its query, as sent, below what the API is served below. */
  readonly path: string
  /** What comes before the paths of the API where clients see them: empty, or with a slash before and none after it. */
  readonly basePath: string
  /** The address it is counted under, see `clientNetwork`. */
  readonly client: string
  /** Headers by their lower-case names; every step may add to them. */
  readonly headers: Record<string, string>
}

/** The language the caller prefers; looked up only where there is something to say. */
export const languageOf = ({ request }: Exchange): Language => preferredLanguage(request.headers["accept-language"])
