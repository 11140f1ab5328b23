import { assert, describe, it } from "@effect/vitest"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Server } from "../harness.ts"
import {
  formTokenOf,
  givenVisitor,
  hiddenFieldsOf,
  openTextBrowser,
  password,
  signIn,
  withConsole
} from "./TextBrowser.ts"

const session = "__Host-lastro"

const arrange = Effect.gen(function*() {
  const root = yield* storeRootPartner()
  return { root, ...yield* givenVisitor(root) }
})

describe("sessions of the console", () => {
  it.effect("T77 a sign-in keeps its tokens in one cookie that no script reads and no other site sends", () =>
    withConsole(Effect.gen(function*() {
      const { browser, entered, user } = yield* arrange
      assert.deepStrictEqual([entered.status, entered.location], [303, "/console"])
      const [cookie = ""] = entered.headers.getSetCookie()
      const [pair = "", ...attributes] = cookie.split("; ")
      assert.match(pair, /^__Host-lastro=[\w.-]+~[\w-]+$/)
      assert.deepStrictEqual(attributes, ["Path=/", "HttpOnly", "SameSite=Lax", "Secure"])
      const home = yield* browser.get("/console")
      assert.strictEqual(home.status, 200)
      assert.notInclude(home.text, String(browser.cookies.get(session)))
      assert.notInclude(home.text, user.email)
    })))

  it.effect("T77 a cookie from before the sign-in is replaced, and is worth nothing afterwards", () =>
    withConsole(Effect.gen(function*() {
      const { user } = yield* arrange
      const browser = yield* openTextBrowser
      yield* browser.get("/console/sign-in")
      const planted = String(browser.cookies.get(session))
      assert.match(planted, /^visitor~/)
      yield* signIn(browser, user.email)
      assert.notStrictEqual(browser.cookies.get(session), planted)
      const attacker = yield* openTextBrowser
      attacker.cookies.set(session, planted)
      assert.strictEqual((yield* attacker.get("/console")).status, 303)
    })))

  it.effect("T77 a page is never cached or framed, and loads nothing of another origin", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* arrange
      for (const path of ["/console", "/console/sign-in", "/console/nothing-here", "/console/applications/new"]) {
        const { headers, text } = yield* browser.get(path)
        assert.strictEqual(headers.get("cache-control"), "no-store", path)
        assert.match(String(headers.get("content-security-policy")), /^default-src 'none'.*frame-ancestors 'none'/)
        assert.strictEqual(headers.get("x-frame-options"), "DENY")
        assert.notMatch(text, /(?:src|href)="(?:https?:)?\/\/|<style| style=| on\w+="/)
      }
    })))

  it.effect("a wrong password shows one sentence, whoever it is, and five of them lock as the token operation does", () =>
    withConsole(Effect.gen(function*() {
      const { user } = yield* arrange
      const browser = yield* openTextBrowser
      const known = yield* signIn(browser, user.email, "wrong")
      const unknown = yield* signIn(browser, "nobody@example.com", "wrong")
      assert.deepStrictEqual([known.status, unknown.status], [401, 401])
      for (const page of [known, unknown]) assert.include(page.text, "The e-mail or the password is wrong.")
      assert.match(known.text, new RegExp(`name="email"[^>]*value="${user.email}"`))
      for (let attempt = 0; attempt < 4; attempt++) yield* signIn(browser, user.email, "wrong")
      const locked = yield* signIn(browser, user.email)
      assert.strictEqual(locked.status, 429)
      assert.isString(locked.headers.get("retry-after"))
      assert.match(locked.text, /Too many attempts\. Try again in (?:a minute|\d+ minutes)\./)
      const { send } = yield* Server
      const form = { grant_type: "password", username: user.email, password }
      assert.strictEqual((yield* send("/api/v1/oauth/token", { form })).status, 429)
    })))

  it.effect("T76 a form of another site, of another session or without its token changes nothing", () =>
    withConsole(Effect.gen(function*() {
      const { browser, root } = yield* arrange
      const other = yield* givenVisitor(root)
      const form = formTokenOf(yield* browser.get("/console/partners/new"))
      const foreign = formTokenOf(yield* other.browser.get("/console/partners/new"))
      assert.notStrictEqual(form, foreign)
      const fields = { action: "add" }
      for (
        const [sent, headers] of [
          [{ ...fields, form: "" }, {}],
          [{ ...fields, form: foreign }, {}],
          [{ ...fields, form }, { "sec-fetch-site": "cross-site" }],
          [{ ...fields, form }, { "sec-fetch-site": "same-site" }]
        ] as const
      ) {
        assert.strictEqual((yield* browser.post("/console/partners/new", sent, headers)).status, 403)
      }
      // The same form of the own page is judged by the use case.
      const own = yield* browser.post("/console/partners/new", { ...fields, form }, { "sec-fetch-site": "same-origin" })
      assert.strictEqual(own.status, 422)
      const guess = yield* openTextBrowser
      yield* guess.get("/console/sign-in")
      assert.strictEqual((yield* guess.post("/console/sign-in", { email: "a", password: "b", form })).status, 403)
    })))

  it.effect("T76 a sign-in form of another site, or of a stale page, leaves the session of the browser as it is", () =>
    withConsole(Effect.gen(function*() {
      const { browser, user } = yield* arrange
      // A browser sends no cookie of SameSite=Lax with a form of another site.
      const without = yield* openTextBrowser
      for (const one of [without, browser]) {
        const before = one.cookies.get(session)
        const sent = yield* one.post("/console/sign-in", { email: user.email, password, form: "x" })
        assert.deepStrictEqual([sent.status, sent.location], [303, "/console/sign-in?expired"])
        assert.strictEqual(one.cookies.get(session), before)
      }
      assert.strictEqual((yield* browser.get("/console/sign-in?expired")).location, "/console")
      assert.include((yield* without.get("/console/sign-in?expired")).text, "The page is too old.")
    })))

  it.effect("refresh tokens in cookies have the rate limit of the token operation", () =>
    withConsole(
      Effect.gen(function*() {
        const browser = yield* openTextBrowser
        const statuses: Array<number> = []
        for (let attempt = 0; attempt < 3; attempt++) {
          browser.cookies.set(session, `x~guess${attempt}`)
          statuses.push((yield* browser.get("/console")).status)
        }
        assert.deepStrictEqual(statuses, [303, 303, 429])
      }),
      { tokenLimit: { rate: 1, burst: 2 } }
    ))

  it.effect("T77 a sign-out also ends a session whose access token has expired", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* arrange
      const form = formTokenOf(yield* browser.get("/console"))
      yield* TestClock.adjust("16 minutes")
      const kept = String(browser.cookies.get(session))
      yield* browser.post("/console/sign-out", { form })
      assert.isFalse(browser.cookies.has(session))
      browser.cookies.set(session, kept)
      assert.strictEqual((yield* browser.get("/console")).status, 303)
    })))

  it.effect("an expired access token is renewed, by two pages at the same time too", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* arrange
      const before = browser.cookies.get(session)
      yield* TestClock.adjust("16 minutes")
      const [one, two] = yield* Effect.all([browser.get("/console"), browser.get("/console/partners")], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([one.status, two.status], [200, 200])
      assert.notStrictEqual(browser.cookies.get(session), before)
      assert.strictEqual((yield* browser.get("/console")).status, 200)
    })))

  it.effect("T77 after a sign-out, the cookie and its tokens are worth nothing", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* arrange
      const { send } = yield* Server
      const kept = String(browser.cookies.get(session))
      const token = kept.split("~")[0] ?? ""
      assert.strictEqual((yield* send("/api/v1/users/me", { token })).status, 200)
      const form = formTokenOf(yield* browser.get("/console"))
      const out = yield* browser.post("/console/sign-out", { form })
      assert.deepStrictEqual([out.status, out.location], [303, "/console/sign-in?out"])
      assert.isFalse(browser.cookies.has(session))
      browser.cookies.set(session, kept)
      assert.strictEqual((yield* browser.get("/console")).status, 303)
      assert.strictEqual((yield* send("/api/v1/users/me", { token })).status, 401)
      const replay = yield* send("/api/v1/oauth/token", {
        form: { grant_type: "refresh_token", refresh_token: kept.split("~")[1] ?? "" }
      })
      assert.strictEqual(replay.status, 400)
    })))

  it.effect("a sign-out without a session leads to the sign-in, and its address to the first page", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* arrange
      const form = formTokenOf(yield* browser.get("/console"))
      yield* browser.post("/console/sign-out", { form })
      assert.strictEqual((yield* browser.post("/console/sign-out", { form })).location, "/console/sign-in?out")
      const address = yield* browser.get("/console/sign-out")
      assert.deepStrictEqual([address.status, address.location], [303, "/console"])
    })))

  it.effect("the address of the console with a slash at its end leads to the first page", () =>
    withConsole(Effect.gen(function*() {
      const { location, status } = yield* (yield* openTextBrowser).get("/console/")
      assert.deepStrictEqual([status, location], [303, "/console"])
    })))

  it.effect("a form whose session has ended says that nothing was saved", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* arrange
      const form = formTokenOf(yield* browser.get("/console/partners/new"))
      yield* browser.post("/console/sign-out", { form })
      const { location } = yield* browser.post("/console/partners/new", { form, action: "add" })
      assert.strictEqual(location, "/console/sign-in?lost&back=%2Fconsole%2Fpartners%2Fnew")
      assert.include((yield* browser.get(String(location))).text, "Your session ended before the form arrived")
    })))

  it.effect("T76 a stale form of the console keeps what was typed, and a form of another site fills in nothing", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* arrange
      const path = "/console/partners/new"
      const fields = { form: "stale", action: "add", "partner.name": "Maria da Silva" }
      const stale = yield* browser.post(path, fields, { "sec-fetch-site": "same-origin" })
      assert.strictEqual(stale.status, 403)
      assert.include(stale.text, "The page is too old. Send the form again.")
      assert.include(stale.text, "value=\"Maria da Silva\"")
      const again = { ...fields, form: formTokenOf(stale) }
      assert.strictEqual((yield* browser.post(path, again, { "sec-fetch-site": "same-origin" })).status, 422)
      for (const headers of [{}, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
        assert.notInclude((yield* browser.post(path, fields, headers)).text, "Maria da Silva")
      }
    })))

  it.effect("a change of the language keeps a rejected form, with its errors and its numbers, and runs nothing", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* arrange
      const path = "/console/applications/new"
      const typed = { "customer.name": "Maria da Silva", "customer.cpf": "1", desired_amount: "1,500.5" }
      const refused = yield* browser.post(path, { action: "open", key: "one", ...typed })
      assert.strictEqual(refused.status, 422)
      const chosen = hiddenFieldsOf(refused, "language")
      assert.deepInclude(chosen, { action: "open", key: "one", ...typed })
      const send = (language: string) => browser.post(path, { ...chosen, language })
      yield* TestClock.adjust("16 minutes")
      // The session is renewed first, because a response sets only one cookie.
      const renewed = yield* send("pt-BR")
      assert.deepStrictEqual([renewed.status, renewed.location], [307, path])
      const shown = yield* send("pt-BR")
      assert.strictEqual(shown.status, 200)
      assert.strictEqual(browser.cookies.get("lastro_language"), "pt-BR")
      assert.include(shown.text, "<html lang=\"pt-BR\">")
      assert.match(shown.text, /name="customer.name"[^>]*value="Maria da Silva"/)
      assert.match(shown.text, /name="customer.cpf"[^>]*value="1"[^>]*aria-invalid="true"/)
      assert.match(shown.text, /name="desired_amount"[^>]*value="1500,5"/)
      assert.include(shown.text, "Este campo é obrigatório.")
      const back = yield* browser.post(path, { ...hiddenFieldsOf(shown, "language"), language: "en" })
      assert.match(back.text, /name="desired_amount"[^>]*value="1,500.5"/)
      assert.include(back.text, "This field is required.")
      const details = Array.from({ length: 101 }, () => ({ field: "", code: "REQUIRED", message: "" }))
      const long = chosen["rejection"]?.replaceAll(/"details":\[[^\]]*\]/g, `"details":${JSON.stringify(details)}`)
      for (const rejection of ["{}", String(long)]) {
        assert.strictEqual((yield* browser.post(path, { ...chosen, language: "en", rejection })).status, 400)
      }
      const valid = { "customer.cpf": "111.444.777-35", "customer.birth_date": "1990-05-17", desired_amount: "1500" }
      assert.strictEqual((yield* browser.post(path, { ...chosen, ...valid, language: "en" })).status, 200)
      const foreign = yield* browser.post(path, { ...chosen, language: "pt-BR" }, { "sec-fetch-site": "cross-site" })
      assert.strictEqual(foreign.status, 403)
      assert.notInclude((yield* browser.get("/console/applications")).text, "Maria da Silva")
    })))

  it.effect("the numbers of a form are in the language in which it was opened, also after a change of the language", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* arrange
      const path = "/console/applications/new"
      const opened = yield* browser.get(path)
      const [, written_in = ""] = /name="written_in" value="([^"]*)"/.exec(opened.text) ?? []
      browser.cookies.set("lastro_language", "pt-BR")
      const sent = { action: "open", "customer.cpf": "1", desired_amount: "1,500" }
      const shown = yield* browser.post(path, { ...sent, written_in })
      assert.include(shown.text, "<html lang=\"en\">")
      const { text } = yield* browser.post(path, { ...hiddenFieldsOf(shown, "language"), language: "pt-BR" })
      assert.match(text, /name="desired_amount" type="text"[^>]*value="1500"/)
      assert.match(text, /name="written_in" value="pt-BR"/)
      const forged = yield* browser.post(path, { ...sent, written_in: "constructor" })
      assert.include(forged.text, "<html lang=\"pt-BR\">")
    })))

  it.effect("T79 after the sign-in, the browser goes only to a page of the console", () =>
    withConsole(Effect.gen(function*() {
      const { user } = yield* arrange
      const goes = (back: string) =>
        Effect.flatMap(
          openTextBrowser,
          (browser) => Effect.map(signIn(browser, user.email, password, back), ({ location }) => location)
        )
      for (const back of ["/console/partners?page=1", "/console/users?name=Maria+Silva"]) {
        assert.strictEqual(yield* goes(back), back)
      }
      for (
        const back of [
          "https://evil.example",
          "//evil.example",
          "/console\r\nx: y",
          "/consolevil",
          "/api/v1/users",
          "/console/../api/v1/users",
          "/console/%2e%2e/api/v1/users"
        ]
      ) {
        assert.strictEqual(yield* goes(back), "/console", back)
      }
      const browser = yield* openTextBrowser
      assert.strictEqual((yield* browser.get("/console/language?to=en&back=//evil.example")).location, "/console")
    })))

  it.effect("a temporary password must be changed before anything else, and the new one signs in", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser, user } = yield* givenVisitor(root, "operator", { must_change_password: true })
      for (const path of ["/console", "/console/partners", "/console/applications/new"]) {
        assert.strictEqual((yield* browser.get(path)).location, "/console/password", path)
      }
      assert.match((yield* (yield* openTextBrowser).get("/console/sign-in")).text, /type="email" .*"username"/)
      const { text } = yield* browser.get("/console/password")
      assert.include(text, `autocomplete="username" value="${user.email}" hidden`)
      for (const use of ["current-password", "new-password"]) assert.include(text, `autocomplete="${use}"`)
      const weak = yield* browser.post("/console/password", {
        action: "password",
        current_password: password,
        password: "aaaaaaaaaaaaa"
      })
      assert.strictEqual(weak.status, 422)
      assert.include(weak.text, "aria-invalid=\"true\"")
      assert.notInclude(weak.text, "aaaaaaaaaaaaa")
      assert.notInclude(weak.text, password)
      const chosen = "seven quiet lamps over the harbour"
      const changed = yield* browser.post("/console/password", {
        action: "password",
        current_password: password,
        password: chosen
      })
      assert.strictEqual(changed.location, "/console/sign-in?changed")
      const { text: saved } = yield* browser.get("/console/sign-in?changed")
      assert.include(saved, "role=\"status\">The password is saved. Sign in with it.<")
      assert.strictEqual((yield* signIn(browser, user.email, chosen)).location, "/console")
      assert.strictEqual((yield* browser.get("/console")).status, 200)
    })))
})
