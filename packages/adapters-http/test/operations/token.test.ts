import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { ApiClientRepository, type PasswordHash, PasswordHasher } from "@lastro/domain/identity"
import { createApiClient } from "@lastro/domain/operator"
import { Busy } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { storeRootPartner } from "@lastro/testkit"
import { Effect, Layer, Option, Redacted, Ref } from "effect"
import { TestClock } from "effect/testing"
import { at, type Reply, type Sent } from "../client.ts"
import { givenCaller, givenClient } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const password = "correct horse battery staple"

const arrange = Effect.gen(function*() {
  const server = yield* Server
  const hash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
  const root = yield* storeRootPartner()
  const { user } = yield* givenCaller(root, "manager", {}, hash)
  const { client } = yield* givenClient(root, hash)
  const token = (form: Readonly<Record<string, string>>, sent: Sent = {}) =>
    server.send("/api/v1/oauth/token", { form, ...sent })
  const login = (username = user.email, secret = password) =>
    token({ grant_type: "password", username, password: secret })
  const me = (reply: Reply) => server.send("/api/v1/groups", { token: String(at(reply, "access_token")) })
  return { server, root, user, client, token, login, me }
})

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`
})

const refresh = (reply: Reply): Readonly<Record<string, string>> => ({
  grant_type: "refresh_token",
  refresh_token: String(at(reply, "refresh_token"))
})

const isGranted = (reply: Reply, refreshable: boolean) => {
  assert.strictEqual(reply.status, 200, reply.text)
  assert.include(reply.body, { token_type: "Bearer", expires_in: 900 })
  assert.hasAllKeys(reply.body, [
    "access_token",
    "token_type",
    "expires_in",
    "scope",
    ...(refreshable ? ["refresh_token"] : [])
  ])
  assert.strictEqual(reply.headers.get("cache-control"), "no-store")
  assert.strictEqual(reply.headers.get("pragma"), "no-cache")
}

const isRefused = (reply: Reply, status: number, error: string) => {
  assert.deepStrictEqual([reply.status, at(reply, "error")], [status, error], reply.text)
  assert.isString(at(reply, "error_description"))
  assert.strictEqual(reply.headers.get("cache-control"), "no-store")
}

describe("token operation", () => {
  it.effect("issues a token for a client secret, in the body or as HTTP Basic, as form or JSON", () =>
    withServer(Effect.gen(function*() {
      const { client: { client_id }, me, server, token } = yield* arrange
      const grant_type = "client_credentials"
      const posted = { grant_type, client_id, client_secret: password }
      const replies = [
        yield* token(posted),
        yield* server.send("/api/v1/oauth/token", { json: posted }),
        yield* token({ grant_type }, { headers: basic(client_id, password) }),
        yield* token({ grant_type, client_id }, { headers: basic(client_id, password) })
      ]
      for (const reply of replies) {
        isGranted(reply, false)
        assert.strictEqual((yield* me(reply)).status, 200)
      }
    })))

  it.effect("issues a token for a password, and another for its refresh token, once", () =>
    withServer(Effect.gen(function*() {
      const { login, me, token } = yield* arrange
      const first = yield* login()
      isGranted(first, true)
      const second = yield* token(refresh(first))
      isGranted(second, true)
      assert.strictEqual((yield* me(second)).status, 200)
      assert.notStrictEqual(at(second, "refresh_token"), at(first, "refresh_token"))
      const repeated = yield* token(refresh(first))
      isGranted(repeated, true)
      assert.strictEqual(at(repeated, "refresh_token"), at(second, "refresh_token"))
      yield* TestClock.adjust("11 seconds")
      isRefused(yield* token(refresh(first)), 400, "invalid_grant")
      isRefused(yield* token(refresh(second)), 400, "invalid_grant")
    })))

  it.effect("narrows a token to the requested scope and never widens it", () =>
    withServer(Effect.gen(function*() {
      const { server, token, user: { email } } = yield* arrange
      const grant = { grant_type: "password", username: email, password }
      const narrow = yield* token({ ...grant, scope: "users:read" })
      assert.strictEqual(at(narrow, "scope"), "users:read")
      const partners = yield* server.send("/api/v1/partners", { token: String(at(narrow, "access_token")) })
      assert.strictEqual(partners.status, 403)
      for (const scope of ["partners:write", "users:read partners:write", "nonsense"]) {
        isRefused(yield* token({ ...grant, scope }), 400, "invalid_scope")
      }
    })))

  it.effect("reports errors in the format of RFC 6749", () =>
    withServer(Effect.gen(function*() {
      const { client: { client_id }, server, token } = yield* arrange
      isRefused(yield* token({}), 400, "invalid_request")
      isRefused(yield* token({ grant_type: "authorization_code" }), 400, "unsupported_grant_type")
      isRefused(yield* token({ grant_type: "password", username: "x" }), 400, "invalid_request")
      isRefused(yield* token({ grant_type: "refresh_token" }), 400, "invalid_request")
      const path = "/api/v1/oauth/token"
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const once = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret: password })
        .toString()
      isGranted(yield* server.send(path, { headers: form, body: once }), false)
      const twice = `${once}&client_id=${client_id}`
      isRefused(yield* server.send(path, { headers: form, body: twice }), 400, "invalid_request")
      isRefused(yield* server.send(path, { headers: form, body: "grant_type=%zz" }), 400, "invalid_request")
      isRefused(yield* server.send(path, { headers: form, body: "grant_type=%ff" }), 400, "invalid_request")
      const unread = yield* server.send(path, { headers: { "content-type": "text/plain" }, body: twice })
      isRefused(unread, 415, "invalid_request")
      assert.include(String(at(unread, "error_description")), "application/x-www-form-urlencoded")
      isRefused(
        yield* server.send(path, { headers: { "content-type": "application/json" }, body: "{" }),
        400,
        "invalid_request"
      )
      for (const json of [[], null, 1, "x", { grant_type: ["password"] }, { grant_type: 1 }]) {
        isRefused(yield* server.send(path, { json }), 400, "invalid_request")
      }
      const both = yield* token(
        { grant_type: "client_credentials", client_id, client_secret: password },
        { headers: basic(client_id, password) }
      )
      isRefused(both, 400, "invalid_request")
      isRefused(
        yield* token({ grant_type: "client_credentials", client_id: "other" }, { headers: basic(client_id, password) }),
        400,
        "invalid_request"
      )
      const method = yield* server.send(path, { method: "GET" })
      isRefused(method, 405, "invalid_request")
      assert.strictEqual(method.headers.get("allow"), "POST")
    })))

  it.effect("T38 malformed Basic credentials are invalid_client, with a challenge", () =>
    withServer(Effect.gen(function*() {
      const { client: { client_id }, token } = yield* arrange
      const encode = (text: string | Buffer) => `Basic ${Buffer.from(text).toString("base64")}`
      const malformed = [
        "Basic",
        "Basic ",
        "Basic !!!!",
        "Basic a",
        "Basic YQ= =",
        encode("no colon"),
        encode(`${client_id}:%zz`),
        encode(`%e9:${password}`),
        encode(Buffer.from([0xff, 0xfe, 0x3a, 0x61])),
        encode(`${client_id}:wrong`),
        encode(`:${password}`),
        encode(":"),
        encode(`${client_id}:`),
        "Bearer abc",
        `Digest username="${client_id}"`
      ]
      for (const authorization of malformed) {
        const reply = yield* token({ grant_type: "client_credentials" }, { headers: { authorization } })
        isRefused(reply, 401, "invalid_client")
        assert.strictEqual(reply.headers.get("www-authenticate"), "Basic realm=\"lastro\", charset=\"UTF-8\"")
      }
      const inBody = yield* token({ grant_type: "client_credentials", client_id, client_secret: "wrong" })
      isRefused(inBody, 401, "invalid_client")
      assert.isNull(inBody.headers.get("www-authenticate"))
    })))

  it.effect("T38 Basic credentials that are no valid parameters are invalid_client", () =>
    withServer(Effect.gen(function*() {
      const { client: { client_id }, token } = yield* arrange
      const pairs = [[client_id, "a\u0000b"], ["a\u0000b", password], [client_id, "x".repeat(4_097)]] as const
      for (const [id, secret] of pairs) {
        const reply = yield* token({ grant_type: "client_credentials" }, { headers: basic(id, secret) })
        isRefused(reply, 401, "invalid_client")
        assert.isNotNull(reply.headers.get("www-authenticate"))
      }
    })))

  it.effect("a client that authenticates with a user's credentials must send the right secret", () =>
    withServer(Effect.gen(function*() {
      const { client: { client_id }, login, token, user } = yield* arrange
      const grant = { grant_type: "password", username: user.email, password }
      isGranted(yield* token(grant, { headers: basic(client_id, password) }), true)
      isGranted(yield* token({ ...grant, client_id }), true)
      const session = refresh(yield* login())
      for (const body of [grant, session]) {
        const wrong = yield* token(body, { headers: basic(client_id, "wrong") })
        isRefused(wrong, 401, "invalid_client")
        assert.isNotNull(wrong.headers.get("www-authenticate"))
        isRefused(yield* token({ ...body, client_id, client_secret: "wrong" }), 401, "invalid_client")
      }
      isGranted(yield* token(session, { headers: basic(client_id, password) }), true)
    })))

  it.effect("ignores unknown parameters of any value and rejects null for a known one", () =>
    withServer(Effect.gen(function*() {
      const { client: { client_id }, server } = yield* arrange
      const json = { grant_type: "client_credentials", client_id, client_secret: password }
      const send = (more: object) => server.send("/api/v1/oauth/token", { json: { ...json, ...more } })
      isGranted(yield* send({ audience: ["a"], nested: { a: null }, count: 1, long: "x".repeat(5_000) }), false)
      isRefused(yield* send({ scope: null }), 400, "invalid_request")
      isRefused(yield* send({ username: 1 }), 400, "invalid_request")
    })))

  it.effect("T38 Basic carries ids and secrets of any characters", () =>
    withServer(Effect.gen(function*() {
      const { root, token } = yield* arrange
      const secret = "p:a%+ s/é~🏦\"\\"
      const { client } = yield* givenClient(root, yield* (yield* PasswordHasher).hash(Redacted.make(secret)))
      isGranted(yield* token({ grant_type: "client_credentials" }, { headers: basic(client.client_id, secret) }), false)
      const plus = Buffer.from(`${client.client_id}:${encodeURIComponent(secret).replaceAll("%20", "+")}`).toString(
        "base64"
      )
      isGranted(
        yield* token({ grant_type: "client_credentials" }, { headers: { authorization: `basic ${plus}` } }),
        false
      )
    })))

  it.effect("T36 an unknown name and a wrong secret get the same answer for the same work", () => {
    const verified = Ref.makeUnsafe<ReadonlyArray<boolean>>([])
    const instead = Layer.effect(
      PasswordHasher,
      Effect.map(PasswordHasher, (hasher) =>
        PasswordHasher.of({
          ...hasher,
          verify: (secret, hash) =>
            Effect.andThen(
              Ref.update(verified, (known) => [...known, Option.isSome(hash)]),
              hasher.verify(secret, hash)
            )
        }))
    )
    return withServer(
      Effect.gen(function*() {
        const { client: { client_id }, login, token, user: { email } } = yield* arrange
        const client = (id: string) =>
          token({ grant_type: "client_credentials", client_id: id, client_secret: "wrong" })
        const pairs = [
          [yield* login(email, "wrong"), yield* login("nobody@example.com", "wrong")],
          [yield* client(client_id), yield* client("nobody")]
        ] as const
        for (const [known, unknown] of pairs) {
          assert.strictEqual(known.status, unknown.status)
          assert.strictEqual(known.text, unknown.text)
          const names = (reply: Reply) => [...reply.headers.keys()].toSorted()
          assert.deepStrictEqual(names(known), names(unknown))
        }
        assert.deepStrictEqual(yield* Ref.get(verified), [true, false, true, false], "one hash each")
      }),
      { instead }
    )
  })

  it.effect("T61 answers 503 with Retry-After while password hashes get no turn; a generated secret still works", () => {
    const instead = Layer.effect(
      PasswordHasher,
      Effect.map(PasswordHasher, (hasher) =>
        PasswordHasher.of({
          ...hasher,
          verify: (secret, hash) =>
            Effect.flatMap(hasher.verify(secret, hash), (right) =>
              right && Option.exists(hash, (one) =>
                  one.includes("generated"))
                ? Effect.succeed(true)
                : Effect.fail(new Busy({ retry_after_seconds: 2 })))
        }))
    )
    return withServer(
      Effect.gen(function*() {
        const { client, login, me, root, token, user: { email } } = yield* arrange
        const wrong = { grant_type: "client_credentials", client_id: client.client_id, client_secret: "wrong" }
        const busy = [
          yield* login(),
          yield* login(email, "wrong"),
          yield* login("nobody@example.com"),
          yield* token(wrong),
          yield* token({ ...wrong, client_id: "nobody" })
        ]
        for (const reply of busy) {
          isRefused(reply, 503, "temporarily_unavailable")
          assert.strictEqual(reply.headers.get("retry-after"), "2")
          assert.strictEqual(reply.text, busy[0]?.text)
        }
        const created = yield* createApiClient(root.partner_id, "viewer", {})
        const granted = yield* token({
          grant_type: "client_credentials",
          client_id: created.client.client_id,
          client_secret: Redacted.value(created.secret)
        })
        isGranted(granted, false)
        assert.strictEqual((yield* me(granted)).status, 200)
      }),
      { instead }
    )
  })

  it.effect("AUTH-18 a password that is easy to guess is refused with a message in the language of the request", () =>
    withServer(Effect.gen(function*() {
      const { root, server } = yield* arrange
      const admin = yield* givenCaller(root)
      const json = {
        name: "Bruno Lima",
        email: "bruno.lima@example.com",
        phone: "11987654321",
        cpf: "52998224725",
        group_id: "01900000-0000-7000-8000-000000000004"
      }
      const detail = Effect.fnUntraced(function*(password: string, language: string) {
        const headers = { "accept-language": language }
        const reply = yield* server.send("/api/v1/users", { token: admin.token, json: { ...json, password }, headers })
        assert.strictEqual(reply.status, 422)
        return at(reply, "error", "details", "0")
      })
      const problem = { field: "password", code: "GUESSABLE" }
      assert.deepStrictEqual(yield* detail("Unbelievable", "en"), {
        ...problem,
        message:
          "This password is too common: it is often used, a sequence, or one word with digits. Choose several words that do not belong together.",
        params: { reason: "COMMON" }
      })
      assert.deepStrictEqual(yield* detail("aaaaaaaaaaaaa", "pt-BR"), {
        ...problem,
        message: "A senha não pode ser um caractere ou texto repetido. Escolha várias palavras sem relação entre si.",
        params: { reason: "REPEATED" }
      })
      assert.deepStrictEqual(yield* detail("Bruno.Lima2026", "pt-BR"), {
        ...problem,
        message:
          "A senha não pode ser formada pelo nome ou e-mail do usuário, nem conter o CPF. Isso vale também para texto invertido ou com números no lugar de letras.",
        params: { reason: "PERSONAL" }
      })
    })))

  it.effect("T36 five failures lock a username and address, known or not, until the window has passed", () =>
    withServer(Effect.gen(function*() {
      const { login, user: { email } } = yield* arrange
      for (const username of [email, "nobody@example.com"]) {
        for (let count = 0; count < 5; count++) isRefused(yield* login(username, "wrong"), 400, "invalid_grant")
        const locked = yield* login(username)
        isRefused(locked, 429, "temporarily_unavailable")
        assert.strictEqual(locked.headers.get("retry-after"), "900")
      }
      yield* TestClock.adjust("15 minutes")
      isGranted(yield* login(), true)
    })))

  it.effect("a deleted or inactive user and a revoked client get no token", () =>
    withServer(Effect.gen(function*() {
      const { client, login, root, token, user } = yield* arrange
      const scope = asOperator.scope(root.partner_id)
      const before = yield* login()
      const users = yield* UserRepository
      const found = yield* users.find(scope, user.user_id)
      assert.isTrue(Option.isSome(found))
      yield* users.remove(asOperator.inScope({ ...user, partners: [] }), user.created_at)
      isRefused(yield* login(), 400, "invalid_grant")
      isRefused(yield* token(refresh(before)), 400, "invalid_grant")
      yield* (yield* ApiClientRepository).revoke(client.client_id, client.created_at)
      const secret = { grant_type: "client_credentials", client_id: client.client_id, client_secret: password }
      isRefused(yield* token(secret), 401, "invalid_client")
    })))

  it.effect("revokes a refresh token with its family, and answers 200 for an unknown token", () =>
    withServer(Effect.gen(function*() {
      const { login, server, token } = yield* arrange
      const revoke = (sent: Sent) => server.send("/api/v1/oauth/revoke", { method: "POST", ...sent })
      const first = yield* login()
      const second = yield* token(refresh(first))
      const revoked = yield* revoke({
        form: { token: String(at(first, "refresh_token")), token_type_hint: "refresh_token" }
      })
      assert.deepStrictEqual([revoked.status, revoked.text], [200, ""])
      assert.strictEqual(revoked.headers.get("cache-control"), "no-store")
      isRefused(yield* token(refresh(second)), 400, "invalid_grant")
      const other = yield* login()
      assert.strictEqual((yield* revoke({ json: { token: at(other, "refresh_token") } })).status, 200)
      isRefused(yield* token(refresh(other)), 400, "invalid_grant")
      for (const unknown of ["unknown", `${String(at(first, "access_token"))}x`, "é\u0000"]) {
        assert.strictEqual((yield* revoke({ form: { token: unknown } })).status, 200)
      }
      isRefused(yield* revoke({ form: {} }), 400, "invalid_request")
      isRefused(yield* revoke({ form: { token: "" } }), 400, "invalid_request")
      isRefused(yield* revoke({ json: { token: 1 } }), 400, "invalid_request")
    })))

  it.effect("AUTH-21 revokes an access token with its session; that of an API client only with its credentials", () =>
    withServer(Effect.gen(function*() {
      const { client, login, me, root, server, token } = yield* arrange
      const hash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
      const { client: other } = yield* givenClient(root, hash)
      const revoke = (reply: Reply, sent: Sent = {}) =>
        server.send("/api/v1/oauth/revoke", { form: { token: String(at(reply, "access_token")) }, ...sent })
      const [session, beside] = [yield* login(), yield* login()]
      const revoked = yield* revoke(session)
      assert.deepStrictEqual([revoked.status, revoked.text], [200, ""])
      assert.strictEqual((yield* me(session)).status, 401)
      isRefused(yield* token(refresh(session)), 400, "invalid_grant")
      assert.strictEqual((yield* me(beside)).status, 200)
      assert.strictEqual((yield* revoke(session)).status, 200, "revoked again")

      const issue = token({ grant_type: "client_credentials" }, { headers: basic(client.client_id, password) })
      const [first, second] = [yield* issue, yield* issue]
      isRefused(yield* revoke(first), 401, "invalid_client")
      isRefused(yield* revoke(first, { headers: basic(client.client_id, "wrong") }), 401, "invalid_client")
      isRefused(yield* revoke(first, { headers: basic(other.client_id, password) }), 400, "invalid_grant")
      assert.strictEqual((yield* me(first)).status, 200)
      assert.strictEqual((yield* revoke(first, { headers: basic(client.client_id, password) })).status, 200)
      assert.deepStrictEqual([(yield* me(first)).status, (yield* me(second)).status], [401, 200])
      const json = { token: at(second, "access_token"), client_id: client.client_id, client_secret: password }
      assert.strictEqual((yield* server.send("/api/v1/oauth/revoke", { json })).status, 200)
      assert.strictEqual((yield* me(second)).status, 401)

      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* revoke(beside)).status, 200, "an expired token is unknown")
      assert.notStrictEqual((yield* token(refresh(beside))).status, 400, "the session continues")
    })))

  it.effect("a temporary password works until it is changed", () =>
    withServer(Effect.gen(function*() {
      const { login, root, server, token } = yield* arrange
      const admin = yield* givenCaller(root)
      const json = {
        name: "Bruno Lima",
        email: "bruno@example.com",
        phone: "11987654321",
        cpf: "52998224725",
        group_id: "01900000-0000-7000-8000-000000000004"
      }
      const created = yield* server.send("/api/v1/users", { token: admin.token, json })
      const temporary = String(at(created, "data", "temporary_password"))
      const granted = yield* login(json.email, temporary)
      isGranted(granted, true)
      const change = { password: "a password of my own", current_password: temporary }
      const path = `/api/v1/users/${String(at(created, "data", "user_id"))}`
      const bearer = String(at(granted, "access_token"))
      assert.strictEqual((yield* server.send(path, { method: "PATCH", token: bearer, json: change })).status, 200)
      isRefused(yield* login(json.email, temporary), 400, "invalid_grant")
      isRefused(yield* token(refresh(granted)), 400, "invalid_grant")
      isGranted(yield* login(json.email.toUpperCase(), change.password), true)
    })))

  it.effect("the placeholder hash matches no password", () =>
    withServer(Effect.gen(function*() {
      const { login, root } = yield* arrange
      const { user } = yield* givenCaller(root, "admin", {}, "$argon2id$broken" as PasswordHash)
      isRefused(yield* login(user.email, ""), 400, "invalid_request")
      isRefused(yield* login(user.email, "$argon2id$broken"), 400, "invalid_grant")
    })))
})
