import { assert, describe, it } from "@effect/vitest"
import { openApi } from "@lastro/adapters-http/api"
import { Effect } from "effect"
import { type Page } from "playwright-core"
import {
  accessibilityProblems,
  openBrowser,
  openPage,
  overflowOf,
  screenProblems,
  takeScreenshot,
  type Visitor
} from "../../../test/browser/chromium.ts"
import { changeFirstPassword } from "./running/asking.ts"
import { layerServer, Server } from "./running/inProcess.ts"
import { credentials } from "./running/serving.ts"

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The place of the operation in the page, from its method and path. */
  readonly route: string
}

const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries(openApi().paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const id = String(Reflect.get(Object(operation), "operationId"))
      return [id, { id, method, path, route: `${method}-${path.replaceAll(/[{}]/g, "-")}` }] as const
    })
  )
)

/** A response as JSON; undefined without a body. */
type Answer = unknown

const at = (answer: Answer, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), answer)

/** The form of an operation. It also names the operation, because the viewer renders the form of another one first. */
const requestIn = (page: Page, route: string) =>
  page.locator(`api-request[element-id="${route}"] [id="api-request-${route}"]`)

/** Opens the place of an operation in the page. */
const visit = (page: Page, route: string) =>
  Effect.promise(async () => {
    await page.evaluate(`location.hash = ${JSON.stringify(`?route=${route}`)}`)
    await requestIn(page, route).locator(".btn-execute").waitFor()
  })

/** A reader of the page, who replaces only the ids in paths, by ids of earlier answers. */
const readerOf = (page: Page) => {
  const sent = new Set<string>()
  const send = (id: string, params: Readonly<Record<string, unknown>> = {}): Effect.Effect<Answer> =>
    Effect.gen(function*() {
      const operation = operations.get(id)
      if (operation === undefined) return yield* Effect.die(new Error(`no operation ${id}`))
      const { method, path, route } = operation
      yield* visit(page, route)
      const request = requestIn(page, route)
      for (const [name, value] of Object.entries(params)) {
        const input = request.locator(`[data-ptype="path"][data-pname="${name}"]`)
        yield* Effect.promise(() => input.fill(String(value)))
      }
      return yield* Effect.promise(async () => {
        const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
        const [response] = await Promise.all([
          page.waitForResponse((one) => {
            const { pathname, search } = new URL(one.url())
            return one.request().method() === method.toUpperCase() && `${pathname}${search}` === target
          }),
          request.locator(".btn-execute").click()
        ])
        const text = await response.text()
        assert.isBelow(response.status(), 400, `${id}: ${text}`)
        sent.add(id)
        return text === "" ? undefined : JSON.parse(text) as Answer
      })
    })
  /** Sends an operation until its answer is as expected. */
  const sendUntil = (
    id: string,
    params: Readonly<Record<string, unknown>>,
    isExpected: (answer: Answer) => boolean
  ): Effect.Effect<Answer> =>
    Effect.flatMap(send(id, params), (answer) =>
      isExpected(answer)
        ? Effect.succeed(answer)
        : Effect.andThen(Effect.sleep("200 millis"), sendUntil(id, params, isExpected)))
  return { send, sendUntil, sent }
}

type Reader = ReturnType<typeof readerOf>

/** Shows the form to sign in. The page ignores a change of its address while it is still building its content. */
const showSignIn = async (page: Page): Promise<void> => {
  await page.evaluate(`location.hash = ""; location.hash = "?route=auth"`)
  const form = page.locator("#grant")
  const isShown = await form.waitFor({ timeout: 3_000 }).then(() => true, () => false)
  if (!isShown) await showSignIn(page)
}

/** Signs in with the form of the page, and returns the text that it then shows. */
const signIn = (page: Page, grant: "client_credentials" | "password", name: string, secret: string) =>
  Effect.promise(async () => {
    await showSignIn(page)
    await page.locator("#grant").selectOption(grant)
    await page.locator("#name").fill(name)
    await page.locator("#secret").fill(secret)
    const [response] = await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname === "/api/v1/oauth/token"),
      page.locator("#sign-in button").click()
    ])
    await page.locator("#sign-in output:not(:empty)").waitFor()
    return response.status()
  })

const sendLists = Effect.fnUntraced(function*({ send }: Reader) {
  const parameterless = [...operations.values()].filter(({ method, path }) => method === "get" && !path.includes("{"))
  for (const { id } of parameterless) yield* send(id)
})

const sendPartnersAndUsers = Effect.fnUntraced(function*({ send }: Reader) {
  const partner_uuid = at(yield* send("createPartner"), "data", "partner_id")
  yield* send("getRouting", { partner_uuid })
  const root = { partner_uuid: at(yield* send("getPartner", { partner_uuid }), "data", "parent_id") }
  yield* send("createCommissionPlan", root)
  yield* send("listCommissionPlans", root)
  const user_uuid = at(yield* send("createUser"), "data", "user_id")
  yield* send("getUser", { user_uuid })
  const client_id = at(yield* send("createClient"), "data", "client_id")
  yield* send("getClient", { client_id })
  yield* send("rotateClientSecret", { client_id })
})

const isSettled = (answer: Answer) => at(answer, "next_action") !== "WAIT"

const hasStatus = (expected: string) => (answer: Answer) => at(answer, "data", "status") === expected

/** Contracts an application, and waits for a status of the proposal. Returns the id of the proposal. */
const contract = Effect.fnUntraced(function*({ send, sendUntil }: Reader, id: unknown, status: string) {
  yield* sendUntil("getApplicationStatus", { id }, isSettled)
  yield* send("submitKyc", { id })
  const offer_id = at(yield* send("getApplication", { id }), "quote", "offers", 0, "offer_id")
  const proposal_uuid = at(yield* send("acceptOffer", { id, offer_id }), "proposal_id")
  yield* sendUntil("getProposal", { proposal_uuid }, hasStatus(status))
  return proposal_uuid
})

const sendLoan = Effect.fnUntraced(function*(reader: Reader) {
  const { send, sendUntil } = reader
  yield* send("cancelApplication", { id: at(yield* send("createApplication"), "application_id") })
  const id = at(yield* send("createApplication"), "application_id")
  yield* sendUntil("getApplicationStatus", { id }, isSettled)
  yield* send("requoteApplication", { id })
  yield* send("getKyc", { id })
  yield* send("renewSignatureLink", { proposal_uuid: yield* contract(reader, id, "AWAITING_SIGNATURE") })
})

const sendWebhook = Effect.fnUntraced(function*({ send }: Reader) {
  const webhook_id = at(yield* send("createWebhook"), "webhook_id")
  yield* send("getWebhook", { webhook_id })
  yield* send("testWebhook", { webhook_id })
  yield* send("rotateWebhookSecret", { webhook_id })
  yield* send("replayWebhook", { webhook_id })
  const event_id = at(yield* send("listWebhookDeliveries", { webhook_id }), "content", 0, "event_id")
  yield* send("redeliverEvent", { webhook_id, event_id })
})

/**
 * The callbacks of lenders need the secret of a lender. The token operations need credentials, which no example can have. The
 * bodies of commissions name a partner below the caller's own, and a new partner has no present plan. A statement needs
 * a file.
 */
const withoutExample = new Set([
  "receiveLenderCallback",
  "issueToken",
  "revokeToken",
  "getCurrentCommissionPlan",
  "adjustCommission",
  "closeCommissions",
  "createCommissionPayout",
  "compareCommissionStatement"
])

/** Opens the page and signs in as the administrator. */
const openSignedIn = Effect.fnUntraced(function*(visitor: Omit<Visitor, "url"> = {}) {
  const server = yield* Server
  const password = yield* changeFirstPassword(server)
  const { failures, page } = yield* openPage(yield* openBrowser, { ...visitor, url: server.url })
  yield* Effect.promise(() => page.goto("/docs"))
  const status = yield* signIn(page, "password", credentials.LASTRO_BOOTSTRAP_ADMIN_EMAIL, password)
  assert.strictEqual(status, 200)
  return { failures, page, reader: readerOf(page) }
})

/** No contract of the sandbox leaves its first status by itself. */
const slowLender = layerServer({ LASTRO_SANDBOX_STEP_MS: "3600000" })

describe("the documentation", () => {
  it.live(
    "laptop, light, en-US: after signing in, every GET and POST example is accepted as it stands",
    () =>
      Effect.gen(function*() {
        const { failures, page, reader } = yield* openSignedIn()
        yield* sendLists(reader)
        yield* sendPartnersAndUsers(reader)
        yield* sendLoan(reader)
        yield* sendWebhook(reader)
        yield* Effect.promise(() => page.locator(".response-message.success").first().waitFor())
        yield* takeScreenshot(page, "docs-tried-laptop")
        assert.deepStrictEqual(yield* accessibilityProblems(page), [])
        const expected = [...operations.values()].filter(({ id, method }) =>
          (method === "get" || method === "post") && !withoutExample.has(id) && id !== "withdrawFromProposal"
        )
        assert.sameMembers([...reader.sent], expected.map(({ id }) => id))
        assert.deepStrictEqual(failures, [])
      }).pipe(Effect.provide(slowLender)),
    300_000
  )

  // Both languages have the same examples, so this visitor sends a few: with and without a body, and with ids in the path.
  it.live(
    "phone, dark, pt-BR: after signing in, examples are accepted as they stand",
    () =>
      Effect.gen(function*() {
        const { failures, page, reader } = yield* openSignedIn({
          viewport: "phone",
          colorScheme: "dark",
          locale: "pt-BR"
        })
        yield* sendPartnersAndUsers(reader)
        yield* Effect.promise(() => page.locator(".response-message.success").first().waitFor())
        yield* takeScreenshot(page, "docs-tried-phone")
        assert.deepStrictEqual(failures, [])
      }).pipe(Effect.provide(slowLender)),
    300_000
  )

  it.live("the example of a withdrawal is accepted for a paid contract", () =>
    Effect.gen(function*() {
      const { reader } = yield* openSignedIn()
      const id = at(yield* reader.send("createApplication"), "application_id")
      yield* reader.send("withdrawFromProposal", { proposal_uuid: yield* contract(reader, id, "PAID") })
    }).pipe(Effect.provide(layerServer({ LASTRO_SANDBOX_STEP_MS: "0" }))), 120_000)

  it.live(
    "an API client signs in, and wrong credentials are refused with the server's description",
    () =>
      Effect.gen(function*() {
        const { url } = yield* Server
        const { page } = yield* openPage(yield* openBrowser, { url })
        yield* Effect.promise(() => page.goto("/docs"))
        const { LASTRO_BOOTSTRAP_CLIENT_ID: id, LASTRO_BOOTSTRAP_CLIENT_SECRET: secret } = credentials
        assert.strictEqual(yield* signIn(page, "client_credentials", id, "wrong"), 401)
        assert.strictEqual(yield* signIn(page, "client_credentials", id, secret), 200)
        yield* readerOf(page).send("listPartners")
      }).pipe(Effect.provide(layerServer())),
    120_000
  )

  it.live(
    "fits both screens and has no accessibility problem, light and dark, in both languages",
    () =>
      Effect.gen(function*() {
        const { url } = yield* Server
        const browser = yield* openBrowser
        const list = operations.get("listApplications")?.route ?? ""
        const create = operations.get("createApplication")?.route ?? ""
        for (const viewport of ["phone", "laptop"] as const) {
          for (const [colorScheme, locale] of [["light", "pt-BR"], ["dark", "en-US"]] as const) {
            const { failures, page } = yield* openPage(browser, { url, viewport, colorScheme, locale })
            // Each language, screen and colour scheme is checked with all rules once.
            const isFirst = (viewport === "phone") === (colorScheme === "light")
            for (const [name, route] of Object.entries({ overview: "overview", auth: "auth", list, create })) {
              const place = [viewport, colorScheme, locale, name].join("-")
              yield* Effect.promise(async () => {
                // Each place is loaded anew: moving within the page scrolls the list of operations, which then partly covers a link.
                await page.goto(`/docs?place=${name}#?route=${route}`)
                const shown = { overview: "#api-title", auth: "#sign-in" }[name] ??
                  `api-request[element-id="${route}"]`
                await page.locator(shown).waitFor()
              })
              assert.isAtMost(yield* overflowOf(page), 0, place)
              const problems = yield* isFirst ? accessibilityProblems(page) : screenProblems(page)
              assert.deepStrictEqual(problems, [], place)
              yield* takeScreenshot(page, `docs-${place}`)
            }
            assert.deepStrictEqual(failures, [])
          }
        }
      }).pipe(Effect.provide(layerServer())),
    300_000
  )

  it.live("on a phone, the list of operations opens one, and shows which one is open", () =>
    Effect.gen(function*() {
      const { url } = yield* Server
      const { failures, page } = yield* openPage(yield* openBrowser, { url, viewport: "phone" })
      const { route = "" } = operations.get("acceptOffer") ?? {}
      const list = page.getByRole("combobox", { name: "Operation" })
      yield* Effect.promise(async () => {
        await page.goto("/docs")
        await list.locator("optgroup").first().waitFor({ state: "attached" })
        await list.selectOption({ label: "Accept an offer" })
        await requestIn(page, route).waitFor()
        assert.include(page.url(), `route=${route}`)
        assert.strictEqual(
          await list.locator("option").count(),
          2 + operations.size + Object.keys(openApi().webhooks).length
        )
        await page.evaluate(`location.hash = "?route=overview"`)
        await page.waitForFunction(`document.getElementById("operations").value === "overview"`)
      })
      assert.deepStrictEqual(failures, [])
    }).pipe(Effect.provide(layerServer())), 120_000)

  it.live("a link opens an operation, and the switch of the language keeps its place", () =>
    Effect.gen(function*() {
      const { url } = yield* Server
      const { failures, page } = yield* openPage(yield* openBrowser, { url })
      const { route = "" } = operations.get("acceptOffer") ?? {}
      yield* Effect.promise(async () => {
        // The list of operations for phones, which is hidden here, has the same text.
        const shown = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor()
        await page.goto(`/docs#?route=${route}`)
        await shown("Accept an offer")
        await page.getByRole("link", { name: "Português" }).click()
        await shown("Aceitar uma oferta")
        assert.strictEqual(await page.locator("html").getAttribute("lang"), "pt-BR")
        assert.include(page.url(), `route=${route}`)
      })
      assert.deepStrictEqual(failures, [])
    }).pipe(Effect.provide(layerServer())), 120_000)
})
