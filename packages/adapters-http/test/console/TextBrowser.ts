import { makeConsole } from "@lastro/adapters-http/console"
import { type GroupSlug } from "@lastro/domain/access"
import { PasswordHasher } from "@lastro/domain/identity"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type UserListItem } from "@lastro/domain/user"
import { Effect, Redacted } from "effect"
import { givenCaller } from "../given.ts"
import { Server, type TestOptions, withServer } from "../harness.ts"

/** The password of every user of these tests. */
export const password = "correct horse battery staple"

/** A page as a browser without a screen gets it. */
export interface PageText {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where the response sends the browser; null if nowhere. */
  readonly location: string | null
}

/** A browser with one cookie jar and no script. */
export interface TextBrowser {
  readonly cookies: Map<string, string>
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Effect.Effect<PageText>
  /** Sends a form with the token that the page at its path contains, unless `form` is given. */
  readonly post: (
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>
  ) => Effect.Effect<PageText>
}

/** Returns the token of the forms on a page. */
export const formTokenOf = ({ text }: PageText): string => /name="form" value="([^"]*)"/.exec(text)?.[1] ?? ""

/** Returns the hidden fields of the form whose button has this name. */
export const hiddenFieldsOf = ({ text }: PageText, button: string): Readonly<Record<string, string>> => {
  const form = text.split("<form ").find((one) => one.includes(`<button class="link" name="${button}"`)) ?? ""
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value.replaceAll("&quot;", "\"")]))
}

/** Opens a browser without cookies. */
export const openTextBrowser = Effect.map(Server, ({ port }): TextBrowser => {
  const cookies = new Map<string, string>()
  const request = (path: string, init: RequestInit) =>
    Effect.promise(async (): Promise<PageText> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        redirect: "manual",
        ...init,
        headers: { "accept-language": "en", ...(cookie === "" ? {} : { cookie }), ...Object(init.headers) }
      })
      for (const set of response.headers.getSetCookie()) {
        const [pair = "", ...attributes] = set.split(";")
        const [name = "", value = ""] = pair.split("=")
        if (attributes.some((one) => one.trim() === "Max-Age=0")) cookies.delete(name)
        else cookies.set(name, value)
      }
      return {
        status: response.status,
        headers: response.headers,
        text: await response.text(),
        location: response.headers.get("location")
      }
    })
  const get: TextBrowser["get"] = (path, headers = {}) => request(path, { headers })
  return {
    cookies,
    get,
    post: (path, fields, headers = {}) =>
      Effect.gen(function*() {
        const form = fields["form"] ?? formTokenOf(yield* get(path))
        const body = new URLSearchParams({ ...fields, form }).toString()
        return yield* request(path, {
          method: "POST",
          body,
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
        })
      })
  }
})

/** Signs a user in. Returns the response to the form. */
export const signIn = (browser: TextBrowser, email: string, secret = password, back = "") =>
  browser.post("/console/sign-in", { email, password: secret, back })

/** Creates a user of a partner, and opens a browser in which it is signed in. */
export const givenVisitor = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  group: GroupSlug = "admin",
  fields: Partial<UserListItem> = {}
) {
  const hash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
  const { token, user } = yield* givenCaller(partner, group, fields, hash)
  const browser = yield* openTextBrowser
  const entered = yield* signIn(browser, user.email)
  return { browser, entered, token, user }
})

/** Runs a test against a server of its own, with the console. */
export const withConsole = <A, E, R>(test: Effect.Effect<A, E, R>, options: TestOptions = {}) =>
  withServer(test, { console: makeConsole(), ...options })
