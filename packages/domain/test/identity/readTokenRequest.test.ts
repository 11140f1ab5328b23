import { assert, describe, it } from "@effect/vitest"
import { codePoint } from "@lastro/testkit/arbitraries"
import { Redacted, Result } from "effect"
import * as fc from "fast-check"
import { parseTokenRequest, type TokenGrant } from "../../src/identity/readTokenRequest.ts"

const error = (body: unknown): string =>
  Result.match(parseTokenRequest(body), { onSuccess: ({ type }) => type, onFailure: (refused) => refused.error })

const client = { grant_type: "client_credentials", client_id: "erp", client_secret: "s3cret" }
const password = { grant_type: "password", username: "ana@example.com", password: "correct horse battery" }
const refresh = { grant_type: "refresh_token", refresh_token: "r" }

describe("readTokenRequest", () => {
  it("AUTH-11 reads each grant with its parameters and redacts secrets", () => {
    const grants: ReadonlyArray<readonly [object, TokenGrant]> = [
      [client, {
        type: "client_credentials",
        client: { client_id: "erp", client_secret: Redacted.make("s3cret") },
        scope: undefined
      }],
      [
        { ...password, scope: "users:read" },
        {
          type: "password",
          client: undefined,
          username: "ana@example.com",
          password: Redacted.make("correct horse battery"),
          scope: "users:read"
        }
      ],
      [{ ...refresh, scope: "" }, {
        type: "refresh_token",
        client: undefined,
        refresh_token: Redacted.make("r"),
        scope: undefined
      }],
      [{ ...refresh, client_id: "erp", client_secret: "s3cret" }, {
        type: "refresh_token",
        client: { client_id: "erp", client_secret: Redacted.make("s3cret") },
        refresh_token: Redacted.make("r"),
        scope: undefined
      }],
      [{ ...refresh, client_id: "erp", client_secret: "" }, {
        type: "refresh_token",
        client: undefined,
        refresh_token: Redacted.make("r"),
        scope: undefined
      }]
    ]
    for (const [body, grant] of grants) {
      const read = Result.getOrThrow(parseTokenRequest(body))
      assert.deepStrictEqual(read, grant)
      assert.notMatch(JSON.stringify(read), /s3cret|correct horse|"r"/)
    }
  })

  it("AUTH-11 ignores unknown parameters, whatever their values", () => {
    assert.strictEqual(error({ ...client, audience: "x", resource: "y" }), "client_credentials")
    for (const value of [null, 1, true, {}, [], ["a", "b"], "x".repeat(4_097), "a\u0000b", "a\ud83d"]) {
      assert.strictEqual(error({ ...password, other: value, toString: value }), "password")
    }
  })

  it("AUTH-11 a client secret without an id is an invalid_client; an id without a secret is ignored", () => {
    for (const body of [password, refresh]) {
      assert.strictEqual(error({ ...body, client_id: "erp" }), body.grant_type)
      assert.strictEqual(error({ ...body, client_id: "erp", client_secret: "s" }), body.grant_type)
      assert.strictEqual(error({ ...body, client_secret: "s" }), "invalid_client")
    }
  })

  it("AUTH-11 missing or empty parameters are an invalid_request; missing client credentials are an invalid_client", () => {
    for (const body of [client, password, refresh]) {
      for (const name of Object.keys(body)) {
        const expected = name.startsWith("client_") ? "invalid_client" : "invalid_request"
        assert.strictEqual(error({ ...body, [name]: "" }), expected, name)
        assert.strictEqual(error(Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))), expected)
      }
    }
  })

  it("AUTH-11 any other grant is unsupported", () => {
    for (const grant_type of ["authorization_code", "implicit", "PASSWORD", "__proto__", "constructor", " password"]) {
      assert.strictEqual(error({ ...password, grant_type }), "unsupported_grant_type", grant_type)
    }
  })

  it("AUTH-11 a non-object body, and non-text, repeated, too long or unstorable parameters are an invalid_request", () => {
    for (const body of [null, undefined, 1, "grant_type=password", [], [password]]) {
      assert.strictEqual(error(body), "invalid_request")
    }
    for (const value of [null, 1, true, {}, [], ["a", "b"], "x".repeat(4_097), "a\u0000b", "a\ud83d"]) {
      for (const name of [...Object.keys({ ...client, ...password, ...refresh }), "scope"]) {
        assert.strictEqual(error({ ...password, [name]: value }), "invalid_request", name)
      }
    }
    assert.strictEqual(error({ ...password, username: "x".repeat(4_096) }), "password")
  })

  it("T27 AUTH-11 inherited properties are not parameters", () => {
    assert.strictEqual(error(Object.create(password)), "invalid_request")
    assert.strictEqual(error(JSON.parse("{\"__proto__\":{\"grant_type\":\"password\"}}")), "invalid_request")
  })

  it("AUTH-11 any input is parsed or refused, and a refusal repeats none of it", () => {
    const values = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.constantFrom("password", "refresh_token", null, 1, [], {})
    )
    const bodies = fc.dictionary(
      fc.constantFrom("grant_type", ...Object.keys({ ...client, ...password, ...refresh }), "scope"),
      values
    )
    fc.assert(
      fc.property(bodies, (body) => {
        const read = parseTokenRequest({ ...body, password: "secret-secret" })
        if (Result.isFailure(read)) assert.notInclude(JSON.stringify(read.failure), "secret-secret")
      }),
      { numRuns: 1_000 }
    )
  })
})
