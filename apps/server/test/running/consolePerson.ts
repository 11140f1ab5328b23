import { assert } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { saoPauloDate, timestampOf } from "@lastro/domain/values"
import { Context, Effect, Layer } from "effect"
import { type Browser, type BrowserContext, type Page } from "playwright-core"
import { type Words, wordsEn } from "../../../../packages/adapters-http/src/console/wordsEn.ts"
import { wordsPtBr } from "../../../../packages/adapters-http/src/console/wordsPtBr.ts"
import { openBrowser, openPage, type Visitor } from "../../../../test/browser/chromium.ts"
import { ask, at, changeFirstPassword, signIn as signInClient, tokenOf } from "./asking.ts"
import { layerServer, Server } from "./inProcess.ts"
import { type Environment } from "./lastro.ts"
import { credentials } from "./serving.ts"

/** The console of a server, the browser of the tests, and the administrator after the change of the first password. */
export class OpenConsole extends Context.Service<OpenConsole, {
  readonly url: string
  readonly browser: Browser
  readonly email: string
  readonly password: string
  /** The cookies of the administrator's session. */
  readonly cookies: Awaited<ReturnType<BrowserContext["cookies"]>>
}>()("@lastro/server/test/running/consolePerson/OpenConsole") {}

/** Actions of a person at a page. Each waits for its result and not for a time. */
export interface Person {
  readonly page: Page
  readonly failures: ReadonlyArray<string>
  readonly words: Words
  readonly opens: (path: string) => Effect.Effect<number | undefined>
  readonly fills: (fields: Readonly<Record<string, string>>) => Effect.Effect<void>
  readonly checks: (name: string) => Effect.Effect<void>
  readonly presses: (name: string) => Effect.Effect<void>
  readonly follows: (name: string) => Effect.Effect<void>
  readonly unfolds: (text: string) => Effect.Effect<void>
  /** Waits until the page shows a text. Without a script, opens the page again until it does. */
  readonly sees: (text: string) => Effect.Effect<void>
}

/** The language, the screen and the input devices of a visitor. */
export interface Manner extends Omit<Visitor, "url"> {
  /** True if the person has no pointer. Default: false. */
  readonly isKeyboardOnly?: boolean
}

/** The most presses of the Tab key with which a person looks for an element. */
const mostTabs = 80

/** Moves the focus with the Tab key to an element, which the person then uses. */
const tabTo = async (page: Page, target: ReturnType<Page["locator"]>): Promise<void> => {
  const hasFocus = () => target.evaluate((element) => element === element.ownerDocument.activeElement)
  for (let presses = 0; presses < mostTabs; presses++) {
    // eslint-disable-next-line no-await-in-loop -- The keys of a person come one after another.
    if (await hasFocus()) return
    // eslint-disable-next-line no-await-in-loop
    await page.keyboard.press("Tab")
  }
  throw new Error(`the focus does not reach ${String(target)}`)
}

/** Enters a value with the keyboard. Chooses from a list with the arrow keys, because typing in it depends on the speed. */
const typeInto = async (page: Page, field: ReturnType<Page["locator"]>, value: string): Promise<void> => {
  await tabTo(page, field)
  const index = await field.locator("option").evaluateAll(
    (options, value) => options.findIndex((option) => option.getAttribute("value") === value),
    value
  )
  if (index >= 0) {
    await page.keyboard.press("Home")
    for (let presses = 0; presses < index; presses++) {
      // eslint-disable-next-line no-await-in-loop
      await page.keyboard.press("ArrowDown")
    }
    return
  }
  const isDate = await field.getAttribute("type") === "date"
  const [year = "", month = "", day = ""] = value.split("-")
  await page.keyboard.type(isDate ? `${month}${day}${year}` : value)
}

const personAt = (
  { failures, page }: { readonly failures: ReadonlyArray<string>; readonly page: Page },
  { isJavaScriptEnabled = true, isKeyboardOnly = false, locale = "pt-BR" }: Manner
): Person => {
  const promise = <A>(run: () => Promise<A>) => Effect.promise(run)
  const main = page.getByRole("main")
  const fieldOf = (name: string) => page.locator(`main [name="${name}"]`).first()
  const use = async (target: ReturnType<Page["locator"]>, key: string): Promise<void> => {
    if (!isKeyboardOnly) return target.click()
    await tabTo(page, target)
    await page.keyboard.press(key)
  }
  const submit = async (target: ReturnType<Page["locator"]>): Promise<void> => {
    const loaded = page.waitForEvent("domcontentloaded")
    await use(target, "Enter")
    await loaded
  }
  return {
    page,
    failures,
    words: locale === "pt-BR" ? wordsPtBr : wordsEn,
    opens: (path) => promise(async () => (await page.goto(path, { waitUntil: "domcontentloaded" }))?.status()),
    fills: (fields) =>
      Effect.forEach(Object.entries(fields), ([name, value]) =>
        promise(async () => {
          const field = fieldOf(name)
          if (isKeyboardOnly) return typeInto(page, field, value)
          if (await field.evaluate((element) => element.nodeName === "SELECT")) await field.selectOption(value)
          else await field.fill(value)
        }), { discard: true }),
    checks: (name) => promise(() => use(fieldOf(name), "Space")),
    presses: (name) => promise(() => submit(main.getByRole("button", { name, exact: true }).first())),
    follows: (name) => promise(() => submit(page.getByRole("link", { name, exact: true }).first())),
    unfolds: (text) => promise(() => use(page.locator("summary").filter({ hasText: text }), "Enter")),
    sees: (text) =>
      promise(async () => {
        const seen = main.getByText(text, { exact: true }).first()
        const reload = async (): Promise<void> => {
          if (await seen.count() > 0) return
          await page.waitForTimeout(100)
          await page.reload({ waitUntil: "domcontentloaded" })
          await reload()
        }
        if (!isJavaScriptEnabled) await reload()
        await seen.waitFor({ timeout: 30_000 })
      })
  }
}

/** Opens a page without a session. */
export const visit = Effect.fnUntraced(function*(manner: Manner = {}) {
  const { browser, url } = yield* OpenConsole
  return personAt(yield* openPage(browser, { url, locale: "pt-BR", ...manner }), manner)
})

/** Fills in the form of the sign-in. */
export const signIn = Effect.fnUntraced(function*(person: Person, email: string, password: string) {
  yield* person.opens("/console")
  yield* person.fills({ email, password })
  yield* person.presses(person.words.signIn)
})

/** Opens a page with the session of the administrator. */
export const administrate = Effect.fnUntraced(function*(manner: Manner = {}) {
  const { cookies } = yield* OpenConsole
  const person = yield* visit(manner)
  yield* Effect.promise(() => person.page.context().addCookies(cookies))
  return person
})

/** Serves the console of an installation in which the lender pays a commission, and opens a browser. */
export const layerConsole = (environment: Environment = {}): Layer.Layer<OpenConsole | Server> =>
  Layer.effect(
    OpenConsole,
    Effect.gen(function*() {
      const server = yield* Server
      const browser = yield* openBrowser
      const email = credentials.LASTRO_BOOTSTRAP_ADMIN_EMAIL
      const token = tokenOf(yield* signInClient(server))
      const tree = yield* ask(server, "/api/v1/partners?sort=created_at,asc&size=1", { token })
      const body = { valid_from: saoPauloDate(timestampOf(Date.now())), basis: "NET", rates: [{ percent: 12.5 }] }
      const path = `/api/v1/partners/${String(at(tree, "content", 0, "partner_id"))}/commission-plans`
      assert.strictEqual((yield* ask(server, path, { token, body: JSON.stringify(body) })).status, 201)
      const password = yield* changeFirstPassword(server, email)
      const console = { url: server.url, browser, email, password }
      const cookies = yield* Effect.scoped(Effect.gen(function*() {
        const person = yield* visit().pipe(Effect.provideService(OpenConsole, { ...console, cookies: [] }))
        yield* signIn(person, email, password)
        return yield* Effect.promise(() => person.page.context().cookies())
      }))
      return OpenConsole.of({ ...console, cookies })
    })
  ).pipe(
    Layer.provideMerge(layerServer({ LASTRO_RATE_LIMIT: "off", LASTRO_SANDBOX_STEP_MS: "300", ...environment }))
  )

/** The customer of a new application. The ending of the CPF chooses what the sandbox does. */
export const customer = (ending: string, variant: number) => ({
  "customer.name": "Ana Beatriz Lima",
  "customer.cpf": sandboxCpf(ending, variant),
  "customer.birth_date": "1990-05-17"
})

const kyc = {
  gender: "F",
  civil_status: "SINGLE",
  mother_name: "Célia Lima",
  nationality: "Brasileira",
  email: "ana.lima@example.com",
  phone: "11987654321",
  is_pep: "false",
  "document.type": "RG",
  "document.number": "123456789",
  "document.issuer": "SSP",
  "document.uf": "SP",
  "document.issued_at": "2010-03-04",
  "address.zipcode": "01310-100",
  "address.uf": "SP",
  "address.city": "São Paulo",
  "address.neighborhood": "Bela Vista",
  "address.street": "Avenida Paulista",
  "address.number": "1578",
  disbursement_method: "PIX",
  "pix.type": "EMAIL",
  "pix.key": "ana.lima@example.com"
}

/** Opens an application. */
export const openApplication = Effect.fnUntraced(function*(person: Person, ending: string, variant: number) {
  yield* person.opens("/console/applications/new")
  yield* person.fills(customer(ending, variant))
  yield* person.presses(person.words.openApplication)
})

/** Opens an application, completes the customer's data and accepts the best offer. */
export const accept = Effect.fnUntraced(function*(person: Person, ending: string, variant: number) {
  const { words } = person
  yield* openApplication(person, ending, variant)
  yield* person.sees(words.applicationStatus.QUOTED)
  yield* person.follows(words.completeKyc)
  yield* person.fills(kyc)
  yield* person.presses(words.save)
  yield* person.sees(words.kycComplete)
  yield* person.checks("terms_accepted")
  yield* person.presses(words.accept)
})

/** Returns the failures of the page. A refused form, which the browser also reports, is none. */
export const otherFailures = ({ failures }: Person): ReadonlyArray<string> =>
  failures.filter((failure) => !failure.includes("status of 422"))
