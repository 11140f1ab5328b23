import { assert, describe, it } from "@effect/vitest"
import { groupById, groupBySlug } from "@lastro/domain/access"
import { AccessClaims, claimsOf, judgeClaims, judgeClientId, publishedKeysAt } from "@lastro/domain/identity"
import { pageSchema } from "@lastro/domain/input"
import { FgtsKyc } from "@lastro/domain/kyc"
import { openApplication } from "@lastro/domain/loan"
import { RejectionReason } from "@lastro/domain/offer"
import { FgtsApplication, PublicProposalDetail } from "@lastro/domain/origination"
import { PartnerListItem, partnerListItem, partnerSortFields } from "@lastro/domain/partner"
import { timestampOf } from "@lastro/domain/values"
import {
  accessClaims,
  apiClient,
  auditEntry,
  caller,
  disbursement,
  fgtsApplicationView,
  fgtsKycView,
  listPageOf,
  offer,
  opening,
  partnerDetail,
  principal,
  proposalDetailView,
  quote,
  rejection,
  signingKey,
  sliceOf
} from "@lastro/testkit/arbitraries"
import { Equal, Option, Result } from "effect"
import * as fc from "fast-check"
import { assertDecodes, checkProperty, kindsOf } from "./checks.ts"

const nullability = (name: string, value: unknown): string => `${name}: ${value === null ? "null" : "some"}`

describe("arbitraries of identity", () => {
  it("API clients have valid ids and every group, and are live or revoked", () => {
    checkProperty(apiClient, ({ client_id, created_at, revoked_at }) => {
      assert.isTrue(Result.isSuccess(judgeClientId(client_id)))
      if (revoked_at !== null) assert.isTrue(revoked_at >= created_at)
    })
    const kinds = kindsOf(
      apiClient,
      (one) => [nullability("revoked", one.revoked_at), groupById(one.group_id)?.slug ?? ""]
    )
    assert.lengthOf(kinds, 6)
  })

  it("callers have every kind and group, at roots and below", () => {
    const kinds = kindsOf(caller, ({ group, kind, must_change_password, partner_id, permissions, root_id }) => [
      `${kind} ${group}`,
      `root: ${partner_id === root_id}`,
      `must change password: ${must_change_password}`,
      `narrowed: ${permissions.size < groupBySlug(group).permissions.length}`
    ])
    assert.lengthOf(kinds, 18)
  })

  it("principals are active or inactive users and clients", () => {
    const kinds = kindsOf(principal, (one) => {
      const judged = judgeClaims(claimsOf(one, "viewer", new Set()), Option.some(one))
      return [Result.isSuccess(judged) ? judged.success.kind : judged.failure.reason]
    })
    assert.deepStrictEqual(kinds, ["client", "inactive", "user"])
  })

  it("claims are valid, and accepted only for their principal", () => {
    assertDecodes(AccessClaims, accessClaims)
    checkProperty(fc.tuple(accessClaims, principal), ([claims, one]) => {
      const judged = judgeClaims(claims, Option.some({ ...one, active: true, partners_active: true }))
      assert.strictEqual(
        Result.isSuccess(judged),
        claims.partner_snapshot_uuid === one.partner_id && claims.credentials_version === one.credentials_version
      )
    })
    assert.deepStrictEqual(
      kindsOf(accessClaims, ({ client_id, scope }) => [`user: ${client_id === "lastro"}`, `any: ${scope !== ""}`]),
      ["any: false", "any: true", "user: false", "user: true"]
    )
  })

  it("signing keys have the format of a JWK, and are active or retired", () => {
    checkProperty(signingKey, ({ created_at, kid, private_jwk, retired_at }) => {
      assert.match(kid, /^[\w-]{16}$/)
      assert.hasAllKeys(JSON.parse(private_jwk), ["kty", "crv", "x", "y", "d"])
      if (retired_at !== null) assert.isTrue(retired_at >= created_at)
    })
    assert.lengthOf(kindsOf(signingKey, ({ retired_at }) => [nullability("retired", retired_at)]), 2)
    assert.lengthOf(kindsOf(signingKey, (key) => [String(publishedKeysAt([key], timestampOf(4e12)).length)]), 2)
  })
})

describe("arbitraries of lists and audit entries", () => {
  it("slices are within their total, and pages are consistent", () => {
    checkProperty(sliceOf(fc.nat()), ({ items, total }) => assert.isAtMost(items.length, total))
    const kinds = kindsOf(sliceOf(fc.nat()), ({ items, total }) => [
      items.length === 0 ? total === 0 ? "empty" : "past the end" : items.length === total ? "complete" : "partial"
    ])
    assert.deepStrictEqual(kinds, ["complete", "empty", "partial", "past the end"])
    const page = listPageOf(partnerDetail.map(partnerListItem), [...partnerSortFields])
    assertDecodes(pageSchema(PartnerListItem, "PartnersPage"), page)
    checkProperty(page, ({ content, page: { number, size, total_elements, total_pages }, sort }) => {
      assert.isNotEmpty(sort)
      assert.isAtMost(content.length, size)
      assert.strictEqual(content.length > 0, number < total_pages)
      assert.isAtMost(total_elements, total_pages * size)
    }, 100)
  })

  it("audit entries have every action, with masked CPFs", () => {
    const kinds = kindsOf(auditEntry, ({ action, actor, after, before, request_id }) => [
      `${action} ${nullability("before", before)} ${nullability("after", after)}`,
      `operator: ${actor === "operator"}`,
      nullability("request", request_id)
    ])
    assert.deepStrictEqual(kinds, [
      "operator: false",
      "operator: true",
      "partner.create before: null after: some",
      "partner.delete before: some after: null",
      "partner.update before: some after: some",
      "request: null",
      "request: some",
      "user.create before: null after: some",
      "user.delete before: some after: null",
      "user.update before: some after: some"
    ])
    checkProperty(auditEntry, ({ action, after, before, changed }) => {
      assert.notMatch(JSON.stringify([before, after]), /"cpf":"\d{11}"/)
      const [one, other] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))]
      const names = [...one.keys()].filter((name) => !Equal.equals(one.get(name), other.get(name)))
      const changedNames = changed.map((path) => path.split(".", 1)[0] ?? "")
      if (action.endsWith("update")) assert.includeMembers(changedNames, names)
      else assert.isEmpty(changed)
    })
  })
})

describe("arbitraries of origination records", () => {
  it("rejections have every kind, with and without a time to retry", () => {
    assertDecodes(RejectionReason, rejection)
    const kinds = kindsOf(rejection, ({ kind, retry_at, retryable }) => [
      kind,
      `retryable: ${retryable}`,
      nullability("retry_at", retry_at)
    ])
    assert.lengthOf(kinds, 8)
  })

  it("quotes have every outcome, and offers pay out", () => {
    assert.lengthOf(kindsOf(quote, ({ outcome }) => [outcome]), 4)
    checkProperty(offer, ({ terms }) => assert.isAbove(terms.net_amount, 0), 100)
  })

  it("applications in responses are valid and have every status", () => {
    assertDecodes(FgtsApplication, fgtsApplicationView)
    const kinds = kindsOf(
      fgtsApplicationView,
      (one) => [one.status, `all: ${"quotes" in one}`, `masked: ${one.customer.cpf?.includes("*")}`],
      600
    )
    assert.lengthOf(kinds, 9 + 4)
  })

  it("KYCs in responses are valid and have every status", () => {
    assertDecodes(FgtsKyc, fgtsKycView)
    assert.lengthOf(kindsOf(fgtsKycView, ({ status }) => [status]), 5)
  })

  it("proposals in responses are valid", () => {
    assertDecodes(PublicProposalDetail, proposalDetailView)
    assert.lengthOf(kindsOf(proposalDetailView, ({ status }) => [status]), 11)
    assert.lengthOf(kindsOf(disbursement, ({ method }) => [method]), 2)
  })

  it("openings open applications", () =>
    assert.isTrue(fc.sample(opening, 20).every((one) => openApplication(one).version === 1)))
})
