import { PartnerRoutingResponse, PutRoutingRequest } from "@lastro/domain/lender"
import {
  CreatePartnerRequest,
  CreatePartnerResponse,
  PartnerDetailResponse,
  partnerSortFields,
  PartnersPage,
  PartnerStatus,
  UpdatePartnerRequest
} from "@lastro/domain/partner"
import { PersonType } from "@lastro/domain/values"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BankerizeErrorResponse } from "./ApiError.ts"
import { Bearer, idempotencyKey, ifMatch, recordId, texts } from "./endpointParts.ts"
import { command, deletion, errorResponses, list, patch, read } from "./errorResponses.ts"
import { documentFilter, formatQuery, idFilter, listQuery, metadataFilter, textFilter } from "./listQuery.ts"

const params = { partner_uuid: recordId("The partner's id") }

/** Partners: the nodes of the hierarchy. */
export class PartnersApi extends HttpApiGroup.make("partners").add(
  HttpApiEndpoint.get("listPartners", "/", {
    query: {
      ...listQuery(partnerSortFields),
      ...formatQuery,
      name: textFilter("the name"),
      email: textFilter("the e-mail address"),
      document_number: documentFilter("the CPF or CNPJ"),
      person_type: Schema.optionalKey(PersonType),
      status: Schema.optionalKey(PartnerStatus.annotate({ description: "The partner's status" })),
      parent_id: idFilter("Direct children of this partner only"),
      metadata: metadataFilter
    },
    success: PartnersPage,
    error: errorResponses(BankerizeErrorResponse, list)
  }).annotateMerge(texts(
    "List partners",
    "Returns a page of the partners in the caller's subtree, including the caller's own. Filters combine with AND. " +
      "Requires `partners:read`."
  )),
  HttpApiEndpoint.post("createPartner", "/", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreatePartnerRequest),
    success: CreatePartnerResponse.pipe(HttpApiSchema.status(201)),
    error: errorResponses(BankerizeErrorResponse, command("OUTSIDE_HIERARCHY", "DOCUMENT_TAKEN"))
  }).annotateMerge(texts(
    "Create a partner",
    "Creates a partner under the caller's own partner, or under `parent_uuid` in the caller's subtree. The " +
      "document is unique under one root. Requires `partners:write`."
  )),
  HttpApiEndpoint.get("getPartner", "/:partner_uuid", {
    params,
    success: PartnerDetailResponse,
    error: errorResponses(BankerizeErrorResponse, read())
  }).annotateMerge(texts(
    "Get a partner",
    "Returns a partner in the caller's subtree. Requires `partners:read`."
  )),
  HttpApiEndpoint.patch("updatePartner", "/:partner_uuid", {
    params,
    headers: ifMatch,
    payload: Schema.toEncoded(UpdatePartnerRequest),
    success: PartnerDetailResponse,
    error: errorResponses(BankerizeErrorResponse, patch("OWN_PARTNER"))
  }).annotateMerge(texts(
    "Update a partner",
    "Changes the fields that the body contains (JSON Merge Patch, RFC 7396, within `partner`, `pix`, `address`, " +
      "`bank_account` and `metadata`). `null` clears a group, a nullable field or a key of `metadata`. A merged " +
      "group is validated as a whole. `type` and `document_number` are immutable: you may send the stored value, but " +
      "any other value is rejected. A new `parent_uuid` moves the partner with its subtree; you cannot move your own " +
      "partner. `status` activates or deactivates a partner below your own. The patch is atomic. A patch without " +
      "effect returns 200 with the same `ETag`. Requires `partners:write`."
  )),
  HttpApiEndpoint.delete("deletePartner", "/:partner_uuid", {
    params,
    headers: ifMatch,
    success: HttpApiSchema.NoContent,
    error: errorResponses(BankerizeErrorResponse, deletion("PARTNER_HAS_DEPENDENTS", "SELF_DELETE"))
  }).annotateMerge(texts(
    "Delete a partner",
    "Deletes a partner without children, users or unfinished applications. The record is kept for audit, but no " +
      "longer returned. The document can be reused. Requires `partners:write`."
  )),
  HttpApiEndpoint.get("getRouting", "/:partner_uuid/routing", {
    params,
    success: PartnerRoutingResponse,
    error: errorResponses(BankerizeErrorResponse, read())
  }).annotateMerge(texts(
    "Get the routing of a partner",
    "Returns the routing of a partner in the caller's subtree: the lenders that its quotes request, in order of preference. A " +
      "partner without a routing has that of its nearest ancestor. Without any routing, quotes request all lenders at the same " +
      "time. Requires `partners:read`."
  )),
  HttpApiEndpoint.put("putRouting", "/:partner_uuid/routing", {
    params,
    headers: ifMatch,
    payload: Schema.toEncoded(PutRoutingRequest),
    success: PartnerRoutingResponse,
    error: errorResponses(BankerizeErrorResponse, patch("OWN_PARTNER"))
  }).annotateMerge(texts(
    "Set the routing of a partner",
    "Replaces the routing of a partner below the caller's own, or of the caller's root. A routing only narrows that of the partner " +
      "above: a lender that an ancestor removes is removed below it at once. The routing applies when a lender is requested: " +
      "earlier offers can still be accepted, and contracts go on. Requires `partners:write`."
  )),
  HttpApiEndpoint.delete("deleteRouting", "/:partner_uuid/routing", {
    params,
    headers: ifMatch,
    success: HttpApiSchema.NoContent,
    error: errorResponses(BankerizeErrorResponse, deletion("OWN_PARTNER"))
  }).annotateMerge(texts(
    "Remove the routing of a partner",
    "Removes the routing of a partner below the caller's own, or of the caller's root. The partner then has the routing of its " +
      "nearest ancestor. Requires `partners:write`."
  ))
).prefix("/api/v1/partners").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "Partners form a hierarchy. A caller has access to the subtree of its own partner."
})) {}
