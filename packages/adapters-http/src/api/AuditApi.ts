import { AuditPage, auditSortFields } from "@lastro/domain/audit"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { Bearer, texts } from "./endpointParts.ts"
import { errorResponses, list } from "./errorResponses.ts"
import { exactFilter, formatQuery, listQuery, partnerFilters, timeFilter } from "./listQuery.ts"

/** Audit entries: the changes of records, with the actor and the time of each. */
export class AuditApi extends HttpApiGroup.make("audit").add(
  HttpApiEndpoint.get("listAudit", "/", {
    query: {
      ...listQuery(auditSortFields),
      ...formatQuery,
      subject_id: exactFilter("The id of the record"),
      actor: exactFilter(
        "Actor: the id of a user or API client, `host:` and the id of a user of the embedding service, or `operator`"
      ),
      action: exactFilter("The action, such as `application.kyc_read`"),
      ...partnerFilters("Entries about records"),
      from: timeFilter("From this time (inclusive)"),
      to: timeFilter("Before this instant, or to the end of this day")
    },
    success: AuditPage,
    error: errorResponses(ApiErrorResponse, list)
  }).annotateMerge(texts(
    "List audit entries",
    "Returns a page of the audit entries about records of the partners in the caller's subtree, deleted partners included. " +
      "Filters combine with AND. Personal data in `before` and `after` is masked. The entries about an erased person have only ids, " +
      "statuses and codes. Requires `audit:read`."
  ))
).prefix("/api/v1/audit").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description:
    "The audit has an entry for each change, each sign-in, each read of a KYC, and each export or erasure of personal data."
})) {}
