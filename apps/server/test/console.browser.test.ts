import { assert, layer } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { saoPauloDate, timestampOf } from "@lastro/domain/values"
import { Context, Effect, Layer } from "effect"
import { readFile } from "node:fs/promises"
import { type Browser, type Page } from "playwright-core"
import {
  accessibilityProblems,
  openBrowser,
  openPage,
  overflowOf,
  takeScreenshot,
  type Visitor
} from "../../../test/browser/chromium.ts"
import { ask, at, changeFirstPassword, signIn as signInClient, tokenOf } from "./running/asking.ts"
import { layerServer, Server } from "./running/inProcess.ts"
import { type Environment } from "./running/lastro.ts"
import { credentials } from "./running/serving.ts"

/** The administrator of the server, after the change of the first password. */
class Administrator extends Context.Service<Administrator, { readonly email: string; readonly password: string }>()(
  "@lastro/server/test/console.browser.test/Administrator"
) {}

/** Serves the console of an installation in which the lender pays a commission. */
const layerConsole = (environment: Environment = {}) =>
  Layer.effect(
    Administrator,
    Effect.gen(function*() {
      const email = credentials.LASTRO_BOOTSTRAP_ADMIN_EMAIL
      const server = yield* Server
      const token = tokenOf(yield* signInClient(server))
      const tree = yield* ask(server, "/api/v1/partners?sort=created_at,asc&size=1", { token })
      const body = { valid_from: saoPauloDate(timestampOf(Date.now())), basis: "NET", rates: [{ percent: 12.5 }] }
      const path = `/api/v1/partners/${String(at(tree, "content", 0, "partner_id"))}/commission-plans`
      assert.strictEqual((yield* ask(server, path, { token, body: JSON.stringify(body) })).status, 201)
      return Administrator.of({ email, password: yield* changeFirstPassword(server, email) })
    })
  ).pipe(Layer.provideMerge(layerServer({ LASTRO_SANDBOX_STEP_MS: "300", ...environment })))

/** Actions of a person at a page. Each waits for its result and not for a time. */
const personAt = (page: Page) => {
  const promise = <A>(run: () => Promise<A>) => Effect.promise(run)
  return {
    opens: (path: string) => promise(() => page.goto(path)),
    fills: (fields: Readonly<Record<string, string>>) =>
      Effect.forEach(Object.entries(fields), ([name, value]) =>
        promise(async () => {
          const field = page.locator(`main [name="${name}"]`).first()
          if (await field.evaluate((one) => one.nodeName === "SELECT")) await field.selectOption(value)
          else await field.fill(value)
        }), { discard: true }),
    presses: (name: string) =>
      promise(async () => {
        await page.getByRole("main").getByRole("button", { name, exact: true }).first().click()
        await page.waitForLoadState()
      }),
    follows: (name: string) =>
      promise(async () => {
        await page.getByRole("link", { name, exact: true }).first().click()
        await page.waitForLoadState()
      }),
    unfolds: (text: string) => promise(() => page.locator("summary").getByText(text, { exact: true }).click()),
    checks: (name: string) => promise(() => page.locator(`main [name="${name}"]`).first().check()),
    /** Waits until the page shows a text. Without a script, opens the page again until it does. */
    sees: (text: string, isFollowing = true) =>
      promise(async () => {
        const seen = page.getByRole("main").getByText(text, { exact: true }).first()
        const reload = async (): Promise<void> => {
          if (await seen.count() > 0) return
          await page.reload()
          await reload()
        }
        if (!isFollowing) await reload()
        await seen.waitFor({ timeout: 20_000 })
      })
  }
}

const signIn = Effect.fnUntraced(function*(page: Page, email: string, password: string) {
  const person = personAt(page)
  yield* person.opens("/console")
  yield* person.fills({ email, password })
  yield* Effect.promise(async () => {
    await page.locator("main button").click()
    await page.waitForLoadState()
  })
})

const customer = (ending: string, variant: number) => ({
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

/** Opens an application, completes the customer's data and accepts the best offer, in Portuguese. */
const accept = Effect.fnUntraced(function*(page: Page, ending: string, variant: number, isFollowing = true) {
  const person = personAt(page)
  yield* person.opens("/console/applications/new")
  yield* person.fills(customer(ending, variant))
  yield* person.presses("Abrir a solicitação e pedir ofertas")
  yield* person.sees("Com ofertas", isFollowing)
  yield* person.follows("Completar os dados")
  yield* person.fills(kyc)
  yield* person.presses("Salvar")
  yield* person.sees("Os dados do cliente estão completos.", isFollowing)
  yield* person.checks("terms_accepted")
  yield* person.presses("Aceitar esta oferta")
})

const opened = (browser: Browser, visitor: Omit<Visitor, "url"> = {}) =>
  Effect.gen(function*() {
    const { url } = yield* Server
    const open = yield* openPage(browser, { url, locale: "pt-BR", ...visitor })
    const { email, password } = yield* Administrator
    yield* signIn(open.page, email, password)
    return { ...open, person: personAt(open.page) }
  })

/** A browser reports a form that was refused, which is no failure of the page. */
const otherFailures = (failures: ReadonlyArray<string>) => failures.filter((one) => !one.includes("status of 422"))

layer(layerConsole(), { timeout: 60_000, excludeTestServices: true })("the console in a browser", (it) => {
  const variants = [
    { viewport: "laptop", isJavaScriptEnabled: true, colorScheme: "light" },
    { viewport: "phone", isJavaScriptEnabled: false, colorScheme: "dark" },
    { viewport: "phone", isJavaScriptEnabled: true, colorScheme: "light" }
  ] as const

  it.effect.each(variants)(
    "originates a loan until it is paid, and withdraws: %j",
    (visitor) =>
      Effect.gen(function*() {
        const { failures, page, person } = yield* opened(yield* openBrowser, visitor)
        const isFollowing = visitor.isJavaScriptEnabled
        const name = `loan-${visitor.viewport}-${visitor.colorScheme}`
        yield* accept(page, "00", variants.indexOf(visitor) + 40, isFollowing)
        yield* person.sees("Paga", isFollowing)
        yield* takeScreenshot(page, `${name}-paid`, true)
        assert.isAtMost(yield* overflowOf(page), 0)
        for (const happened of ["Oferta aceita", "Assinada pelo cliente", "Paga ao cliente", "Solicitação aberta"]) {
          yield* person.sees(happened)
        }
        yield* person.unfolds("Desistir do contrato")
        yield* person.fills({ reason: "CUSTOMER_REQUEST" })
        yield* person.presses("Desistir do contrato")
        yield* person.sees("Devolvida", isFollowing)
        assert.deepStrictEqual(otherFailures(failures), [])
      }),
    90_000
  )

  it.effect("corrects a field that the lender refuses, and cancels an application", () =>
    Effect.gen(function*() {
      const { page, person } = yield* opened(yield* openBrowser)
      yield* accept(page, "72", 7)
      yield* person.follows("Corrigir os dados")
      yield* takeScreenshot(page, "kyc-correction", true)
      yield* person.fills({ "address.number": "S/N" })
      yield* person.presses("Salvar")
      yield* person.sees("Paga")
      yield* person.opens("/console/applications/new")
      yield* person.fills(customer("00", 60))
      yield* person.presses("Abrir a solicitação e pedir ofertas")
      yield* person.unfolds("Cancelar a solicitação")
      yield* person.presses("Cancelar a solicitação")
      yield* person.sees("Este campo é obrigatório.")
      yield* person.fills({ reason: "DUPLICATE" })
      yield* person.presses("Cancelar a solicitação")
      yield* person.sees("Cancelada")
    }), 90_000)

  it.effect(
    "creates a partner with a user, who chooses a password and sees only its own part",
    () =>
      Effect.gen(function*() {
        const browser = yield* openBrowser
        const { page, person } = yield* opened(browser)
        yield* person.opens("/console/partners/new")
        yield* person.fills({
          "partner.type": "pf",
          "partner.name": "Correspondente do Console",
          "partner.document_number": sandboxCpf("00", 70),
          "partner.email": "console@example.com",
          "partner.phone": "11987654321"
        })
        yield* person.presses("Salvar")
        yield* person.sees("Salvo.")
        const partner = new URL(page.url()).pathname.split("/").at(-1) ?? ""
        yield* person.opens("/console/users/new")
        const email = "operadora@example.com"
        yield* person.fills({
          name: "Operadora Nova",
          email,
          phone: "11987654321",
          cpf: sandboxCpf("00", 71),
          group_id: "operator",
          partner_id: partner
        })
        yield* person.presses("Salvar")
        const shown = yield* Effect.promise(() => page.locator("main code").first().innerText())
        const temporary = shown.replace("Senha temporária, mostrada só agora: ", "")
        const { url } = yield* Server
        const other = yield* openPage(browser, { url, locale: "pt-BR" })
        const operator = personAt(other.page)
        const chosen = "sete lanternas calmas sobre o porto"
        yield* signIn(other.page, email, temporary)
        assert.strictEqual(
          yield* Effect.promise(() => other.page.locator("input[autocomplete=username]").inputValue()),
          email
        )
        yield* operator.fills({ current_password: temporary, password: chosen })
        yield* operator.presses("Salvar")
        yield* signIn(other.page, email, chosen)
        yield* operator.opens("/console/partners")
        yield* operator.sees("Correspondente do Console")
        assert.strictEqual(yield* Effect.promise(() => other.page.getByText("Auditoria").count()), 0)
        assert.strictEqual((yield* operator.opens("/console/audit"))?.status(), 403)
      }),
    90_000
  )

  it.effect("finds a customer by its CPF and exports the list as CSV, by keyboard alone", () =>
    Effect.gen(function*() {
      const { page, person } = yield* opened(yield* openBrowser)
      const cpf = sandboxCpf("00", 80)
      yield* person.opens("/console/applications/new")
      yield* person.fills({ ...customer("00", 80), "customer.name": "Cliente do Teclado" })
      yield* person.presses("Abrir a solicitação e pedir ofertas")
      yield* person.opens("/console/applications")
      const { keyboard } = page
      const focused = () => page.evaluate<string>("document.activeElement?.getAttribute('name') ?? ''")
      const tabTo = async (name: string, presses = 0): Promise<void> => {
        if (await focused() === name || presses === 40) return
        await keyboard.press("Tab")
        await tabTo(name, presses + 1)
      }
      yield* Effect.promise(async () => {
        await tabTo("cpf")
        await keyboard.type(cpf)
        await keyboard.press("Enter")
        await page.waitForURL(/cpf=/)
      })
      yield* person.sees("Cliente do Teclado")
      assert.strictEqual(yield* Effect.promise(() => page.locator("main tbody tr").count()), 1)
      const file = yield* Effect.promise(async () => {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "Baixar em CSV" }).press("Enter")
        ])
        return readFile(await download.path(), "utf8")
      })
      assert.match(file, /^\uFEFFapplication_id;[^\n]*\n[^\n]*Cliente do Teclado[^\n]*\n$/)
    }), 60_000)

  const paths = [
    "/console",
    "/console/applications",
    "/console/applications/new",
    "/console/commissions",
    "/console/partners",
    "/console/partners/new",
    "/console/users",
    "/console/users/new",
    "/console/clients",
    "/console/clients/new",
    "/console/password",
    "/console/audit"
  ]
  const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
    (["phone", "laptop"] as const).map((viewport) => ({
      colorScheme,
      viewport,
      locale: viewport === "phone" ? "pt-BR" : "en-US"
    } as const))
  )

  it.effect.each(looks)("every page fits, and has no problem of accessibility: %j", (look) =>
    Effect.gen(function*() {
      const { page, person } = yield* opened(yield* openBrowser, look)
      const problems: Array<string> = []
      // The first record of each list.
      const listed = (yield* Effect.forEach(["applications", "partners", "users", "clients", "commissions"], (list) =>
        Effect.promise(async () => {
          await page.goto(`/console/${list}`)
          const links = page.locator("main :is(tbody, .tree, h2) a")
          return await links.count() === 0 ? [] : [String(await links.first().getAttribute("href"))]
        }))).flat()
      const kyc = listed.filter((one) => one.includes("/applications/")).map((one) =>
        `${one}/kyc`
      )
      const statements = listed.filter((one) =>
        one.includes("/commissions/")
      ).map((one) => one.replace("?", "/statement?"))
      for (const path of [...paths, ...listed, ...kyc, ...statements]) {
        yield* person.opens(path)
        const width = yield* overflowOf(page)
        if (width > 0) {
          problems.push(`${path} is ${width} px too wide`)
        }
        problems.push(...(yield* accessibilityProblems(page)).map((one) =>
          `${path} ${one}`
        ))
        const { length } = yield* Effect.promise(() => page.content())
        if (length > 60_000) problems.push(`${path} has ${length} characters`)
        const name = path.replaceAll(/^\/console\/?|[\da-f-]{36}|\?.*/g, "").replaceAll("/", "-") || "home"
        yield* takeScreenshot(page, `console-${name}-${look.viewport}-${look.colorScheme}`, true)
      }
      assert.deepStrictEqual(problems, [])
    }), 180_000)

  it.effect("the sign-in page has no problem of accessibility in both languages", () =>
    Effect.gen(function*() {
      const { url } = yield* Server
      const browser = yield* openBrowser
      for (const locale of ["pt-BR", "en-US"] as const) {
        const { page } = yield* openPage(browser, { url, locale, viewport: "phone" })
        yield* Effect.promise(() => page.goto("/console"))
        assert.deepStrictEqual([yield* overflowOf(page), yield* accessibilityProblems(page)], [0, []])
        yield* takeScreenshot(page, `sign-in-${locale}`)
      }
    }), 60_000)
})

const twoLenders = {
  LASTRO_LENDER: "",
  LASTRO_LENDERS: "quick=sandbox,slow=sandbox",
  LASTRO_LENDER_QUICK_LABEL: "Banco Rápido",
  LASTRO_LENDER_SLOW_LABEL: "Banco Econômico"
}

layer(layerConsole(twoLenders), { timeout: 60_000, excludeTestServices: true })("two lenders in a browser", (it) => {
  it.effect(
    "their offers stand side by side, and a contract pays a commission that is printed",
    () =>
      Effect.gen(function*() {
        const { failures, page, person } = yield* opened(yield* openBrowser)
        const textOf = (selector: string) => Effect.promise(() => page.locator(selector).allInnerTexts())
        yield* accept(page, "00", 90)
        yield* person.sees("Paga")
        const offers = (yield* textOf(".offer")).map((text) => text.split("\n").slice(0, 3).join(" "))
        assert.deepStrictEqual(offers, [
          "Banco Econômico Tabela Econômica Aceita",
          "Banco Rápido Tabela Já Não escolhida"
        ])
        // The quick lender does not answer.
        yield* person.opens("/console/applications/new")
        yield* person.fills(customer("60", 91))
        yield* person.presses("Abrir a solicitação e pedir ofertas")
        yield* person.sees("Indisponível")
        for (const look of ["laptop", "phone"] as const) {
          yield* Effect.promise(() =>
            page.setViewportSize(look === "phone" ? { width: 360, height: 640 } : { width: 1440, height: 900 })
          )
          yield* takeScreenshot(page, `two-lenders-${look}`, true)
          assert.deepStrictEqual([yield* overflowOf(page), yield* accessibilityProblems(page)], [0, []])
        }
        yield* Effect.promise(() => page.setViewportSize({ width: 1440, height: 900 }))
        yield* person.opens("/console/commissions")
        yield* Effect.promise(() => page.locator("main h2 a").click())
        yield* person.follows("Extrato para imprimir")
        assert.lengthOf(yield* textOf("main tbody tr"), 1)
        yield* Effect.promise(() => page.emulateMedia({ media: "print" }))
        assert.deepStrictEqual(
          yield* Effect.forEach(
            ["header.top", ".noprint", "main table"],
            (selector) => Effect.promise(() => page.locator(selector).first().isVisible())
          ),
          [false, false, true]
        )
        yield* takeScreenshot(page, "statement-print", true)
        assert.deepStrictEqual(otherFailures(failures), [])
      }),
    90_000
  )
})
