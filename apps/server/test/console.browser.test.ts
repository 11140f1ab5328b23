import { assert, layer } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { type Request } from "playwright-core"
import { accessibilityProblems, overflowOf, takeScreenshot } from "../../../test/browser/chromium.ts"
import {
  accept,
  administrate,
  customer,
  layerConsole,
  type Manner,
  openApplication,
  OpenConsole,
  otherFailures,
  type Person,
  signIn,
  visit
} from "./running/consolePerson.ts"

/** Tests with profiles and records of their own run at the same time, so each lasts longer than it would alone. */
const concurrent = { concurrent: true, timeout: 300_000 }

const textsOf = ({ page }: Person, selector: string) => Effect.promise(() => page.locator(selector).allInnerTexts())

layer(layerConsole(), { timeout: 180_000, excludeTestServices: true })("the console in a browser", (it) => {
  const manners: ReadonlyArray<Manner> = [
    { viewport: "laptop", locale: "pt-BR", colorScheme: "light" },
    { viewport: "phone", locale: "pt-BR", colorScheme: "dark", isJavaScriptEnabled: false },
    { viewport: "phone", locale: "en-US", colorScheme: "light" },
    { viewport: "laptop", locale: "en-US", colorScheme: "dark", isJavaScriptEnabled: false },
    { viewport: "laptop", locale: "pt-BR", isKeyboardOnly: true },
    { viewport: "laptop", locale: "en-US", isKeyboardOnly: true, isJavaScriptEnabled: false }
  ]

  it.effect.each(manners)(
    "signs in, originates a loan until it is paid, and withdraws: %j",
    (manner) =>
      Effect.gen(function*() {
        const person = yield* visit(manner)
        const { email, password } = yield* OpenConsole
        const { page, words } = person
        yield* signIn(person, email, password)
        yield* accept(person, "00", 40 + manners.indexOf(manner))
        yield* person.sees(words.proposalStatus.PAID)
        yield* takeScreenshot(page, `loan-paid-${manners.indexOf(manner)}`, true)
        assert.isAtMost(yield* overflowOf(page), 0)
        const { happened, reached } = words
        for (const text of [happened.accepted, reached.GUARANTEE_PENDING, reached.PAID, happened.created]) {
          yield* person.sees(text)
        }
        yield* person.unfolds(words.withdraw)
        yield* person.fills({ reason: "CUSTOMER_REQUEST" })
        yield* person.presses(words.withdraw)
        yield* person.sees(words.proposalStatus.REFUNDED)
        assert.deepStrictEqual(otherFailures(person), [])
      }),
    concurrent
  )

  it.effect.each(["pt-BR", "en-US"] as const)(
    "corrects a field that the lender refuses, and cancels an application: %s",
    (locale) =>
      Effect.gen(function*() {
        const person = yield* administrate({ locale })
        const { page, words } = person
        yield* accept(person, "72", locale === "en-US" ? 7 : 8)
        yield* person.follows(words.nextAction.FIX_KYC)
        yield* takeScreenshot(page, "kyc-correction", true)
        yield* person.fills({ "address.number": "S/N" })
        yield* person.presses(words.save)
        yield* person.sees(words.proposalStatus.PAID)
        yield* openApplication(person, "00", locale === "en-US" ? 60 : 61)
        // A page that follows the quote is replaced once it is QUOTED. What the person opened stays open and focused.
        yield* person.unfolds(words.cancelApplication)
        yield* person.sees(words.applicationStatus.QUOTED)
        const summary = page.locator("details[open] > summary")
        assert.isTrue(
          yield* Effect.promise(() => summary.evaluate((one) => one === one.ownerDocument.activeElement))
        )
        yield* person.presses(words.cancelApplication)
        assert.lengthOf(yield* textsOf(person, "details[open] .error"), 1)
        yield* person.fills({ reason: "DUPLICATE" })
        yield* person.presses(words.cancelApplication)
        yield* person.sees(words.applicationStatus.CANCELLED)
      }),
    concurrent
  )

  it.effect.each(["pt-BR", "en-US"] as const)(
    "creates a partner with a user, who chooses a password and sees only its own part: %s",
    (locale) =>
      Effect.gen(function*() {
        const variant = locale === "en-US" ? 70 : 72
        const person = yield* administrate({ locale })
        const { page, words } = person
        yield* person.opens("/console/partners/new")
        yield* person.fills({
          "partner.type": "pf",
          "partner.name": `Correspondente ${variant}`,
          "partner.document_number": sandboxCpf("00", variant),
          "partner.email": `console.${variant}@example.com`,
          "partner.phone": "11987654321"
        })
        yield* person.presses(words.save)
        yield* person.sees(words.saved)
        const partner = new URL(page.url()).pathname.split("/").at(-1) ?? ""
        yield* person.opens("/console/users/new")
        const email = `operadora.${variant}@example.com`
        yield* person.fills({
          name: "Operadora Nova",
          email,
          phone: "11987654321",
          cpf: sandboxCpf("00", variant + 1),
          group_id: "operator",
          partner_id: partner
        })
        yield* person.presses(words.save)
        const [temporary = ""] = yield* textsOf(person, "main code")
        const operator = yield* visit({ locale })
        const chosen = "sete lanternas calmas sobre o porto"
        yield* signIn(operator, email, temporary)
        assert.strictEqual(
          yield* Effect.promise(() => operator.page.locator("input[autocomplete=username]").inputValue()),
          email
        )
        yield* operator.fills({ current_password: temporary, password: chosen })
        yield* operator.presses(words.save)
        yield* signIn(operator, email, chosen)
        yield* operator.opens("/console/partners")
        yield* operator.sees(`Correspondente ${variant}`)
        assert.strictEqual(yield* Effect.promise(() => operator.page.getByText(words.audit).count()), 0)
        assert.strictEqual(yield* operator.opens("/console/audit"), 403)
      }),
    concurrent
  )

  it.effect(
    "a page that follows a loan keeps a reason that was chosen, also without the focus",
    () =>
      Effect.gen(function*() {
        const [person, other] = [yield* administrate(), yield* administrate()]
        const { page, words } = person
        const isChosen = Promise.withResolvers<void>()
        const follows = (request: Request) => request.resourceType() === "fetch"
        yield* Effect.promise(() =>
          page.route("**/console/applications/*", async (route) => {
            if (follows(route.request())) await isChosen.promise
            await route.continue()
          })
        )
        yield* openApplication(person, "00", 62)
        yield* Effect.promise(() => page.waitForRequest(follows))
        yield* person.unfolds(words.cancelApplication)
        yield* person.fills({ reason: "DUPLICATE" })
        yield* Effect.promise(() => page.evaluate("document.activeElement.blur()"))
        yield* other.opens(page.url())
        yield* other.sees(words.applicationStatus.QUOTED)
        const answered = page.waitForResponse((response) => follows(response.request()))
        isChosen.resolve()
        yield* Effect.promise(() => answered)
        // The page reads its state every two seconds.
        yield* Effect.promise(() => page.waitForTimeout(2_500))
        yield* person.presses(words.cancelApplication)
        yield* person.sees(words.applicationStatus.CANCELLED)
      }),
    concurrent
  )

  it.effect("finds a customer by its CPF and exports the list as CSV, by keyboard alone", () =>
    Effect.gen(function*() {
      const person = yield* administrate({ isKeyboardOnly: true })
      const { page, words } = person
      yield* person.opens("/console/applications/new")
      yield* person.fills({ ...customer("00", 80), "customer.name": "Cliente do Teclado" })
      yield* person.presses(words.openApplication)
      yield* person.opens("/console/applications")
      yield* person.fills({ cpf: sandboxCpf("00", 80) })
      yield* person.presses(words.filter)
      yield* person.sees("Cliente do Teclado")
      assert.lengthOf(yield* textsOf(person, "main tbody tr"), 1)
      const file = yield* Effect.promise(async () => {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: words.csv }).press("Enter")
        ])
        return readFile(await download.path(), "utf8")
      })
      assert.match(file, /^\uFEFFapplication_id;[^\n]*\n[^\n]*Cliente do Teclado[^\n]*\n$/)
    }), concurrent)
})

const twoLenders = {
  LASTRO_LENDER: "",
  LASTRO_LENDERS: "quick=sandbox,slow=sandbox",
  LASTRO_LENDER_QUICK_LABEL: "Banco Rápido",
  LASTRO_LENDER_SLOW_LABEL: "Banco Econômico"
}

layer(layerConsole(twoLenders), { timeout: 180_000, excludeTestServices: true })("two lenders in a browser", (it) => {
  it.effect(
    "their offers stand side by side, and a contract pays a commission that is printed",
    () =>
      Effect.gen(function*() {
        const person = yield* administrate()
        const { page, words } = person
        yield* accept(person, "00", 90)
        yield* person.sees(words.proposalStatus.PAID)
        const offers = (yield* textsOf(person, ".offer")).map((text) =>
          text.split("\n").filter((line) => line !== "").slice(0, 3)
        )
        assert.deepStrictEqual(offers, [
          ["Aceita", "Banco Econômico", "Tabela Econômica"],
          ["Não escolhida", "Banco Rápido", "Tabela Já"]
        ])
        // The quick lender does not answer.
        yield* openApplication(person, "60", 91)
        yield* person.sees(words.partStatus.FAILED)
        for (const look of ["laptop", "phone"] as const) {
          const size = look === "phone" ? { width: 360, height: 640 } : { width: 1440, height: 900 }
          yield* Effect.promise(() => page.setViewportSize(size))
          yield* takeScreenshot(page, `two-lenders-${look}`, true)
          assert.deepStrictEqual([yield* overflowOf(page), yield* accessibilityProblems(page)], [0, []])
        }
        yield* Effect.promise(() => page.setViewportSize({ width: 1440, height: 900 }))
        yield* person.opens("/console/commissions")
        yield* Effect.promise(() => page.locator("main h2 a").click())
        yield* person.follows(words.commissions.statement)
        const [entry = "", ...others] = yield* textsOf(person, "main tbody tr")
        assert.deepStrictEqual(others, [])
        assert.include(entry, "Banco Econômico, Tabela Econômica")
        yield* Effect.promise(() => page.emulateMedia({ media: "print" }))
        assert.deepStrictEqual(
          yield* Effect.forEach(
            ["header.top", ".noprint", "main table"],
            (selector) => Effect.promise(() => page.locator(selector).first().isVisible())
          ),
          [false, false, true]
        )
        yield* takeScreenshot(page, "statement-print", true)
        assert.deepStrictEqual(otherFailures(person), [])
      }),
    90_000
  )
})
