import {
  CreatePartnerRequest,
  CreatePartnerResponse,
  PartnerDetailResponse,
  partnerSortFields,
  PartnersPage,
  PartnerStatus,
  PersonType,
  UpdatePartnerRequest
} from "@lastro/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BankerizeErrorResponse } from "./ApiError.ts"
import { Bearer } from "./Bearer.ts"
import { documentFilter, idFilter, listQuery, textFilter } from "./listQuery.ts"
import { recordId } from "./pathParams.ts"
import { authenticated, body, idempotency, record, refusals } from "./refusals.ts"
import { idempotencyKey, ifMatch } from "./requestHeaders.ts"

const params = { partner_uuid: recordId("The partner's id", "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40") }

/** Partners: the nodes of the hierarchy. */
export class PartnersApi extends HttpApiGroup.make("partners").add(
  HttpApiEndpoint.get("listPartners", "/", {
    query: {
      ...listQuery(partnerSortFields),
      name: textFilter("the name", "conceicao"),
      email: textFilter("the e-mail address", "example.com"),
      document_number: documentFilter("the CPF or CNPJ", "11.222.333"),
      person_type: Schema.optionalKey(PersonType),
      status: Schema.optionalKey(PartnerStatus.annotate({ description: "The partner's status" })),
      parent_id: idFilter("Direct children of this partner only")
    },
    success: PartnersPage,
    error: refusals(BankerizeErrorResponse, ["PERMISSION_DENIED", "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "List partners",
    description:
      "A page of the partners in the caller's subtree, its own partner included. Filters combine with AND. " +
      "Needs `partners:read`."
  })),
  HttpApiEndpoint.post("createPartner", "/", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreatePartnerRequest),
    success: CreatePartnerResponse.pipe(HttpApiSchema.status(201)),
    error: refusals(BankerizeErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      "OUTSIDE_HIERARCHY",
      "DOCUMENT_TAKEN",
      "VALIDATION_FAILED",
      ...idempotency,
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Create a partner",
    description:
      "Adds a partner below the caller's own, or below `parent_uuid` anywhere in the caller's subtree. The " +
      "document is unique under one root. Needs `partners:write`."
  })),
  HttpApiEndpoint.get("getPartner", "/:partner_uuid", {
    params,
    success: PartnerDetailResponse,
    error: refusals(BankerizeErrorResponse, ["PERMISSION_DENIED", ...record, ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Read a partner",
    description: "A partner of the caller's subtree, whole. Needs `partners:read`."
  })),
  HttpApiEndpoint.patch("updatePartner", "/:partner_uuid", {
    params,
    headers: ifMatch,
    payload: Schema.toEncoded(UpdatePartnerRequest),
    success: PartnerDetailResponse,
    error: refusals(BankerizeErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      ...record,
      "PRECONDITION_FAILED",
      "VALIDATION_FAILED",
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Change a partner",
    description:
      "Changes the fields that are present and leaves the others alone (JSON Merge Patch within the groups " +
      "`partner`, `pix`, `address`, `bank_account`): `null` clears a group or a field that may be empty, and a group " +
      "that is present is validated whole after merging. `type` and `document_number` are immutable: sent with their " +
      "stored value they are ignored, with another they are refused. Another `parent_uuid` moves the partner with its " +
      "whole subtree; the caller's own partner cannot be moved. A patch is all or nothing; one that changes nothing " +
      "answers 200 with the same `ETag`. Needs `partners:write`."
  })),
  HttpApiEndpoint.delete("deletePartner", "/:partner_uuid", {
    params,
    headers: ifMatch,
    success: HttpApiSchema.NoContent,
    error: refusals(BankerizeErrorResponse, [
      "PERMISSION_DENIED",
      ...record,
      "PARTNER_HAS_DEPENDENTS",
      "SELF_DELETE",
      "PRECONDITION_FAILED",
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Delete a partner",
    description:
      "Deletes a partner of the caller's subtree that has no children, users or unfinished applications. It " +
      "is kept for audit and gone from every read; its document may be used again. Needs `partners:write`."
  }))
).prefix("/api/v1/partners").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "Partners form a hierarchy; a caller sees and acts on the subtree of its own partner."
})) {}
