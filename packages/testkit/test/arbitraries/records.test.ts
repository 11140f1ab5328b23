import { assert, describe, it } from "@effect/vitest"
import {
  AcceptFgtsOfferRequest,
  AccessClaims,
  calendarDate,
  centavosOfReais,
  FgtsApplication,
  FgtsApplicationStatus,
  FgtsKyc,
  FgtsOffer,
  FgtsQuote,
  Group,
  groupById,
  groupBySlug,
  judgeClaims,
  judgeClientId,
  judgePrincipal,
  judgeRefresh,
  millisOf,
  opened,
  pageSchema,
  parseNewApplication,
  PartnerListItem,
  partnerSortFields,
  PublicProposalDetail,
  PublicProposalListItem,
  publishedKeysAt,
  readTokenRequest,
  RejectionReason,
  timestampOf,
  TokenRequest,
  TokenResponse
} from "@lastro/domain"
import {
  acceptOfferBody,
  accessClaims,
  apiClient,
  auditEntry,
  caller,
  contractSubmission,
  createApplicationBody,
  disbursement,
  failedLogin,
  fgtsApplicationStatusView,
  fgtsApplicationView,
  fgtsKycView,
  fgtsOfferView,
  fgtsQuoteView,
  groupWithPermissions,
  lenderContract,
  listPageOf,
  offer,
  opening,
  partnerListItemView,
  principal,
  proposalDetailView,
  proposalListItemView,
  quote,
  refreshToken,
  rejection,
  signingKey,
  sliceOf,
  tokenRequest,
  tokenResponse
} from "@lastro/testkit/arbitraries"
import { Equal, Option, Result, Schema } from "effect"
import * as fc from "fast-check"

const holds = <A>(arbitrary: fc.Arbitrary<A>, property: (example: A) => void, numRuns = 300) =>
  fc.assert(fc.property(arbitrary, property), { numRuns })

/** Whether the values decode, to themselves. */
const areValid = (schema: Schema.Codec<unknown, unknown>, arbitrary: fc.Arbitrary<unknown>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  holds(arbitrary, (example) => assert.deepStrictEqual(decode(example), Result.succeed(example)))
}

const kindsOf = <A>(arbitrary: fc.Arbitrary<A>, of: (example: A) => ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(fc.sample(arbitrary, { numRuns: 600, seed: 7 }).flatMap(of))).toSorted()

const isNull = (name: string, value: unknown): string => `${name}: ${value === null ? "null" : "some"}`

describe("arbitraries of identity", () => {
  it("groups are those there are, with what they allow", () => {
    areValid(Group, groupWithPermissions)
    assert.deepStrictEqual(kindsOf(groupWithPermissions, ({ slug }) => [slug]), [
      "admin",
      "manager",
      "operator",
      "viewer"
    ])
  })

  it("API clients have ids that clients can have, are of every group, and revoked or not", () => {
    holds(apiClient, ({ client_id, created_at, revoked_at }) => {
      assert.isTrue(Result.isSuccess(judgeClientId(client_id)))
      if (revoked_at !== null) assert.isTrue(revoked_at >= created_at)
    })
    const kinds = kindsOf(apiClient, (one) => [isNull("revoked", one.revoked_at), groupById(one.group_id)?.slug ?? ""])
    assert.lengthOf(kinds, 6)
  })

  it("callers are of every kind and group, roots' and others", () => {
    const kinds = kindsOf(caller, ({ group, kind, must_change_password, partner_id, permissions, root_id }) => [
      `${kind} ${group}`,
      `at a root: ${partner_id === root_id}`,
      `has to change its password: ${must_change_password}`,
      `narrowed: ${permissions.size < groupBySlug(group).permissions.length}`
    ])
    assert.lengthOf(kinds, 14)
  })

  it("principals are callers, or none who may ask", () => {
    const kinds = kindsOf(principal, (one) => {
      const judged = judgePrincipal(Option.some(one))
      return [Result.isSuccess(judged) ? judged.success.kind : judged.failure.reason]
    })
    assert.deepStrictEqual(kinds, ["client", "inactive", "user"])
  })

  it("claims are valid, and judged by their principal", () => {
    areValid(AccessClaims, accessClaims)
    holds(fc.tuple(accessClaims, principal), ([claims, one]) => {
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

  it("refresh tokens are worth everything that they can be worth", () => {
    const kinds = kindsOf(
      fc.tuple(refreshToken, fc.nat({ max: 40 * 86_400_000 })),
      ([token, pause]) => [judgeRefresh(token, timestampOf(millisOf(token.issued_at) + pause))]
    )
    assert.deepStrictEqual(kinds, ["invalid", "reused", "valid"])
  })

  it("signing keys are in the form of a key, retired or not", () => {
    holds(signingKey, ({ created_at, kid, private_jwk, retired_at }) => {
      assert.match(kid, /^[\w-]{16}$/)
      assert.hasAllKeys(JSON.parse(private_jwk), ["kty", "crv", "x", "y", "d"])
      if (retired_at !== null) assert.isTrue(retired_at >= created_at)
    })
    assert.lengthOf(kindsOf(signingKey, ({ retired_at }) => [isNull("retired", retired_at)]), 2)
    assert.lengthOf(kindsOf(signingKey, (key) => [String(publishedKeysAt([key], timestampOf(4e12)).length)]), 2)
  })

  it("failed sign-ins tell who and from where", () =>
    holds(failedLogin, ({ ip, username }) => {
      assert.include(username, "@")
      assert.match(ip, /^\d+\.\d+\.\d+\.\d+$/)
    }))

  it("requests for tokens are of every grant, and complete; answers are valid", () => {
    areValid(TokenRequest, tokenRequest)
    holds(tokenRequest, (body) => assert.isTrue(Result.isSuccess(readTokenRequest(body))))
    assert.lengthOf(kindsOf(tokenRequest, (body) => [body.grant_type, `scope: ${"scope" in body}`]), 5)
    areValid(TokenResponse, tokenResponse)
    assert.lengthOf(kindsOf(tokenResponse, (answer) => [String("refresh_token" in answer)]), 2)
  })
})

describe("arbitraries of lists and the audit", () => {
  it("partners of lists are valid", () => areValid(PartnerListItem, partnerListItemView))

  it("slices hold no more than there is, and pages tell of them", () => {
    holds(sliceOf(fc.nat()), ({ items, total }) => assert.isAtMost(items.length, total))
    const kinds = kindsOf(sliceOf(fc.nat()), ({ items, total }) => [
      items.length === 0 ? total === 0 ? "of nothing" : "past the end" : items.length === total ? "all" : "a part"
    ])
    assert.deepStrictEqual(kinds, ["a part", "all", "of nothing", "past the end"])
    const page = listPageOf(partnerListItemView, [...partnerSortFields])
    areValid(pageSchema(PartnerListItem, "PartnersPage"), page)
    holds(page, ({ content, page: { number, size, total_elements, total_pages }, sort }) => {
      assert.isNotEmpty(sort)
      assert.isAtMost(content.length, size)
      assert.strictEqual(content.length > 0, number < total_pages)
      assert.isAtMost(total_elements, total_pages * size)
    }, 100)
  })

  it("entries of the audit tell of everything that can happen, masked", () => {
    const kinds = kindsOf(auditEntry, ({ action, actor, after, before, request_id }) => [
      `${action} ${isNull("before", before)} ${isNull("after", after)}`,
      `operator: ${actor === "operator"}`,
      isNull("request", request_id)
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
    holds(auditEntry, ({ action, after, before, changed }) => {
      assert.notMatch(JSON.stringify([before, after]), /"cpf":"\d{11}"/)
      const [one, other] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))]
      const names = [...one.keys()].filter((name) => !Equal.equals(one.get(name), other.get(name)))
      const told = changed.map((path) => path.split(".", 1)[0] ?? "")
      if (action.endsWith("update")) assert.includeMembers(told, names)
      else assert.isEmpty(changed)
    })
  })
})

describe("arbitraries of origination's records", () => {
  it("rejections are of every kind, some to be tried again later", () => {
    areValid(RejectionReason, rejection)
    const kinds = kindsOf(rejection, ({ kind, retry_at, retryable }) => [
      kind,
      `retryable: ${retryable}`,
      isNull("retry_at", retry_at)
    ])
    assert.lengthOf(kinds, 8)
  })

  it("quotes and offers are of every outcome", () => {
    assert.lengthOf(kindsOf(quote, ({ outcome }) => [outcome]), 4)
    holds(offer, ({ terms }) => assert.isAbove(terms.net_amount, 0), 100)
  })

  it("applications are valid as they are shown, in every status", () => {
    areValid(FgtsApplication, fgtsApplicationView)
    assert.lengthOf(kindsOf(fgtsApplicationView, ({ status }) => [status]), 8)
    assert.lengthOf(
      kindsOf(fgtsApplicationView, (one) => [`all: ${"quotes" in one}`, `masked: ${one.customer.cpf.includes("*")}`]),
      4
    )
    areValid(FgtsApplicationStatus, fgtsApplicationStatusView)
    assert.lengthOf(kindsOf(fgtsApplicationStatusView, ({ next_action }) => [next_action]), 7)
    areValid(FgtsQuote, fgtsQuoteView)
    areValid(FgtsOffer, fgtsOfferView)
    assert.deepStrictEqual(kindsOf(fgtsOfferView, ({ status }) => [status]), [
      "ACCEPTED",
      "AVAILABLE",
      "DECLINED",
      "EXPIRED",
      "SUPERSEDED"
    ])
  })

  it("KYCs are valid as they are shown, in every status", () => {
    areValid(FgtsKyc, fgtsKycView)
    assert.lengthOf(kindsOf(fgtsKycView, ({ status }) => [status]), 5)
  })

  it("proposals are valid as they are shown, in lists and whole", () => {
    areValid(PublicProposalListItem, proposalListItemView)
    areValid(PublicProposalDetail, proposalDetailView)
    assert.lengthOf(kindsOf(proposalDetailView, ({ status }) => [status]), 8)
    assert.lengthOf(kindsOf(disbursement, ({ method }) => [method]), 2)
  })

  it("contracts are in every status, and asked for with their offer", () => {
    assert.lengthOf(kindsOf(lenderContract, ({ status }) => [status]), 7)
    holds(contractSubmission, ({ customer, disbursement, kyc, offer }) => {
      assert.strictEqual(kyc.cpf ?? customer.cpf, customer.cpf)
      assert.isTrue(disbursement.pix !== null || disbursement.bank !== null)
      assert.isNotEmpty(offer.terms.installments)
    }, 100)
  })

  it("bodies open that very application, and accept an offer", () => {
    holds(createApplicationBody, (body) => {
      const request = Result.getOrThrow(parseNewApplication(body, calendarDate("2026-01-31")))
      assert.deepInclude(request, { external_id: body.external_id, customer: body.customer })
      const desired = body.desired_amount === null ? null : Result.getOrThrow(centavosOfReais(body.desired_amount))
      assert.strictEqual(request.desired_amount, desired)
    })
    areValid(AcceptFgtsOfferRequest, acceptOfferBody)
    assert.lengthOf(kindsOf(acceptOfferBody, (body) => [`ip: ${"ip" in body}`, `agent: ${"user_agent" in body}`]), 4)
    assert.isTrue(fc.sample(opening, 20).every((one) => opened(one).version === 1))
  })
})
