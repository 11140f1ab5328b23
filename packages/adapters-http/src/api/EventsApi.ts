import { EventFeed } from "@lastro/domain/event"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { Bearer, texts } from "./endpointParts.ts"
import { authenticated, errorResponses } from "./errorResponses.ts"

const parameter = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** The feed of events. */
export class EventsApi extends HttpApiGroup.make("events").add(
  HttpApiEndpoint.get("listEvents", "/", {
    query: {
      after: parameter("The `next` of the previous read; absent: from the oldest kept event"),
      types: parameter("Types and groups, separated by commas: `proposal.paid,user.*`; absent: all"),
      subject_id: parameter("The id of the record"),
      limit: parameter("Maximum number of events, 1 to 1000; default 100"),
      wait: parameter("Seconds to wait for an event if there is none, 0 to 30; default 0")
    },
    success: EventFeed,
    error: errorResponses(ApiErrorResponse, [
      "EVENTS_EXPIRED",
      "PERMISSION_DENIED",
      "VALIDATION_FAILED",
      ...authenticated
    ])
  }).annotateMerge(texts(
    "Read the feed of events",
    "Returns what happened to the caller's partner and to the partners below it, as of the time when it happened, " +
      "in the order of `sequence`. A consumer that reads to the end and goes on from `next` never misses and never " +
      "repeats an event. This is the way to follow changes: a list filtered by `updated_from` can miss a change that " +
      "commits late. Events are deleted after 90 days, unless the operator has set another period. An `after` from " +
      "which events have been deleted is answered with 410. Requires `events:read`."
  ))
).prefix("/api/v1/events").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description:
    "Every change of a partner, user, API client, application or proposal appends an event. Events contain no " +
    "personal data."
})) {}
