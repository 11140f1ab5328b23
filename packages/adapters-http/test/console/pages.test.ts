import { assert, describe, it } from "@effect/vitest"
import { groupBySlug, groupRecord, groups } from "@lastro/domain/access"
import { CommissionLedger, type HostContractStatus } from "@lastro/domain/commission"
import { kycFields } from "@lastro/domain/kyc"
import { PartnerDetail } from "@lastro/domain/partner"
import { UserDetail } from "@lastro/domain/user"
import { Webhook } from "@lastro/domain/webhook"
import {
  aCommissionEntry,
  aCustomer,
  storeApplication,
  storeChildPartner,
  storeRootPartner,
  storeUser
} from "@lastro/testkit"
import { Effect, Struct } from "effect"
import { actionText } from "../../src/console/auditWords.ts"
import { fieldLabel } from "../../src/console/fieldLabel.ts"
import { bodyOf, numberText } from "../../src/console/forms.ts"
import { pages } from "../../src/console/pages.ts"
import { wordsEn } from "../../src/console/wordsEn.ts"
import { wordsPtBr } from "../../src/console/wordsPtBr.ts"
import {
  givenApplicationIds,
  givenPlaces,
  givenUserIds,
  inhabited,
  partnerIds,
  type Place,
  places
} from "../authorization/places.ts"
import { newPartner } from "../bodies.ts"
import { Server } from "../harness.ts"
import { formTokenOf, givenVisitor, type PageText, withConsole } from "./TextBrowser.ts"

/** The pages about one record, with the operation of the API that reads the record. */
const recordPages = {
  "/console/partners/:id": "/api/v1/partners/",
  "/console/users/:id": "/api/v1/users/",
  "/console/commissions/:id": "/api/v1/partners/",
  "/console/commissions/:id/statement": "/api/v1/partners/",
  "/console/applications/:id": "/api/v1/fgts/applications/",
  "/console/applications/:id/kyc": "/api/v1/fgts/applications/"
} as const

type RecordPath = keyof typeof recordPages

const isRecordPath = (path: string): path is RecordPath => Object.hasOwn(recordPages, path)

/** What each permission lets a page offer: a link to a page, or a form of the page. */
const offers: ReadonlyArray<readonly [path: string, text: string, permission: string]> = [
  ["/console/applications", "href=\"/console/applications/new\"", "fgts:write"],
  ["/console/partners", "href=\"/console/partners/new\"", "partners:write"],
  ["/console/users", "href=\"/console/users/new\"", "users:write"]
]

const linksOf = ({ text }: PageText): ReadonlyArray<string> =>
  [...(/<nav[^]*?<\/nav>/.exec(text)?.[0] ?? "").matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link)

const idsOf = Effect.fnUntraced(function*(
  path: RecordPath,
  partners: Effect.Success<typeof givenPlaces>["partners"],
  caller: string
) {
  return path.startsWith("/console/partners") || path.startsWith("/console/commissions")
    ? partnerIds(partners)
    : path.startsWith("/console/users")
    ? yield* givenUserIds(partners, caller)
    : yield* givenApplicationIds(partners)
})

/** The texts that a page shows for copying, such as a secret. */
const codesOf = ({ text }: PageText): ReadonlyArray<string> =>
  [...text.matchAll(/<code>([^<]*)<\/code>/g)].map(([, code = ""]) => code)

/** A text that would run, or end an attribute, if a page did not escape it. */
const hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}&lt;"

describe("pages of the console", () => {
  for (const { permissions, slug } of groups) {
    it.effect(`AUTH-12 the group ${slug} sees exactly the pages and links that its permissions allow`, () =>
      withConsole(Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const { browser } = yield* givenVisitor(root, slug)
        const allows = (permission: string | null) =>
          permission === null || permissions.some((one) => one === permission)
        const plain = pages.filter(({ path }) => !path.includes(":"))
        for (const { path, permission } of plain) {
          const { status } = yield* browser.get(path)
          assert.strictEqual(status, allows(permission) ? 200 : 403, path)
        }
        const shown = linksOf(yield* browser.get("/console/password"))
        for (const { path, permission } of plain.filter(({ path }) => !/new|password/.test(path))) {
          assert.strictEqual(shown.includes(path), allows(permission), path)
        }
        for (const [path, text, permission] of offers) {
          const page = yield* browser.get(path)
          if (page.status === 200) assert.strictEqual(page.text.includes(text), allows(permission), `${path} ${text}`)
        }
      })))
  }

  for (const { path } of pages.filter(({ path }) => isRecordPath(path))) {
    it.effect(`T01 ${path} shows only records in the subtree, and refuses as the API does`, () =>
      withConsole(Effect.gen(function*() {
        assert.isTrue(isRecordPath(path))
        const { partners } = yield* givenPlaces
        const { browser, token, user } = yield* givenVisitor(partners.own)
        const ids = yield* idsOf(path as RecordPath, partners, user.user_id)
        const { send } = yield* Server
        for (const place of places) {
          const id = ids[place]
          const page = yield* browser.get(path.replace(":id", id))
          const { status } = yield* send(`${recordPages[path as RecordPath]}${id}`, { token })
          assert.strictEqual(page.status, status, place)
          const isInside = (["own", "child", "grandchild"] as ReadonlyArray<Place>).includes(place)
          assert.strictEqual(status === 200, isInside, place)
        }
      })))
  }

  it.effect("T01 the lists show what the lists of the API show", () =>
    withConsole(Effect.gen(function*() {
      const { partners } = yield* givenPlaces
      const names = yield* Effect.forEach(inhabited, (place) =>
        Effect.gen(function*() {
          const opened = yield* storeApplication(partners[place])
          const user = yield* storeUser(partners[place], { name: `Pessoa ${place}` })
          return { place, opened, user }
        }))
      const { browser } = yield* givenVisitor(partners.own)
      const [applications, users] = [yield* browser.get("/console/applications"), yield* browser.get("/console/users")]
      for (const { opened, place, user } of names) {
        const isInside = ["own", "child", "grandchild"].includes(place)
        assert.strictEqual(applications.text.includes(opened.application_id), isInside, place)
        assert.strictEqual(users.text.includes(user.user_id), isInside, place)
      }
      // The same lists as files have the same records.
      const [file, people] = [yield* browser.get("/console/applications/csv"), yield* browser.get("/console/users/csv")]
      for (const { opened, place, user } of names) {
        const isInside = ["own", "child", "grandchild"].includes(place)
        assert.strictEqual(file.text.includes(opened.application_id), isInside, place)
        assert.strictEqual(people.text.includes(user.user_id), isInside, place)
      }
      assert.match(String(file.headers.get("content-type")), /^text\/csv/)
      const viewer = yield* givenVisitor(partners.own, "viewer")
      for (const path of ["/console/audit/csv", "/console/commissions/csv"]) {
        assert.strictEqual((yield* viewer.browser.get(path)).status, 403, path)
      }
    })))

  it.effect("the list of applications has every filter of the API, and refuses others as the API does", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser, user } = yield* givenVisitor(root)
      const mine = { created_by: user.user_id, metadata: { plan: "gold" } }
      const [one, two] = [yield* storeApplication(root, mine), yield* storeApplication(root)]
      const shows = (query: string) =>
        Effect.gen(function*() {
          const page = yield* browser.get(`/console/applications?${query}`)
          const file = yield* browser.get(`/console/applications/csv?${query}`)
          const found = [page, file].map(({ status, text }) => [
            status,
            ...[one, two].map(({ application_id }) => text.includes(application_id))
          ])
          assert.deepStrictEqual(found[0], found[1], query)
          return found[0]
        })
      const { cpf } = one.customer
      const [all, first, none] = [[200, true, true], [200, true, false], [200, false, false]]
      for (
        const [query, expected] of [
          ["", all],
          ["status=QUOTING&status=QUOTED", all],
          ["status=QUOTED", none],
          ["next_action=WAIT", all],
          ["next_action=SIGN", none],
          ["proposal_status=PAID", none],
          ["rejection_code=NO_BALANCE", none],
          [`created_by=${user.user_id}`, first],
          ["metadata[plan]=gold", first],
          ["updated_from=2199-01-01", none],
          ["updated_to=2001-01-01", none],
          ["created_to=2001-01-01", none],
          [`partner_id=${root.partner_id}&partner_scope=subtree`, all],
          [`cpf=${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`, first],
          ["colour=red", [422, false, false]]
        ] as const
      ) {
        assert.deepStrictEqual(yield* shows(query), expected, query)
      }
      const { text } = yield* browser.get("/console/applications?status=QUOTING,QUOTED&metadata[plan]=gold")
      assert.include(text, "<option value=\"QUOTING,QUOTED\" selected>")
      assert.match(text, /type="hidden" name="metadata\[plan\]" value="gold"/)
    })))

  it.effect("a search finds users and partners by a part of the name", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const user = yield* storeUser(root, { name: "Günther Müller" })
      const child: PartnerDetail = yield* storeChildPartner(root, { name: "Loja do Müller" })
      for (const [path, id] of [["/console/users", user.user_id], ["/console/partners", child.partner_id]] as const) {
        const name = /<input[^>]*name="(\w+)" type="search"/.exec((yield* browser.get(path)).text)?.[1]
        for (const [sought, isFound] of [["muller", true], ["nobody", false]] as const) {
          const [page, file] = [path, `${path}/csv`].map((one) => browser.get(`${one}?${name}=${sought}`))
          assert(page !== undefined && file !== undefined)
          assert.deepStrictEqual([(yield* page).text.includes(id), (yield* file).text.includes(id)], [isFound, isFound])
        }
      }
    })))

  it.effect("the audit names the users and the API clients who acted", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root, "admin", { name: "Ana Souza" })
      const { send } = yield* Server
      const key = /name="key" value="([^"]*)"/.exec((yield* browser.get("/console/clients/new")).text)?.[1] ?? ""
      const fields = { action: "add", key, name: "ERP of the shop", group_id: "admin" }
      const made = yield* browser.post("/console/clients/new", fields)
      const [client_id = "", client_secret = ""] = codesOf(made)
      const { body } = yield* send("/api/v1/oauth/token", {
        form: { grant_type: "client_credentials", client_id, client_secret }
      })
      const token = String(Reflect.get(Object(body), "access_token"))
      assert.strictEqual((yield* send("/api/v1/partners", { token, json: yield* newPartner() })).status, 201)
      const { text } = yield* browser.get("/console/audit")
      assert.match(text, /<strong>Ana Souza<\/strong> created an API client/)
      assert.match(text, /<strong>ERP of the shop<\/strong> created the partner/)
      assert.include(text, `href="/console/clients/${client_id}"`)
    })))

  it.effect("the audit names changed fields by their labels, each once", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const viewer = { group: groupRecord(groupBySlug("viewer")) }
      const [child, user] = [yield* storeChildPartner(root), yield* storeUser(root, viewer)]
      const { browser, token } = yield* givenVisitor(root)
      const { send } = yield* Server
      const json = { phone: "21955554444", partner_id: child.partner_id }
      const { status } = yield* send(`/api/v1/users/${user.user_id}`, { token, method: "PATCH", json })
      assert.strictEqual(status, 200)
      const changes = Effect.map(browser.get("/console/audit"), ({ text }) =>
        /data-label="(?:Changed fields|Campos alterados)"><span>(\w[^<]*)</.exec(text)?.[1])
      assert.strictEqual(yield* changes, "Phone, Partner")
      browser.cookies.set("lastro_language", "pt-BR")
      assert.strictEqual(yield* changes, "Telefone, Parceiro")
    })))

  it.effect("the audit of a webhook names what was changed, and not its version", () =>
    withConsole(Effect.gen(function*() {
      const { browser, token } = yield* givenVisitor(yield* storeRootPartner())
      const { send } = yield* Server
      const json = { url: "https://example.com/one", types: [] }
      const { body } = yield* send("/api/v1/webhooks", { token, method: "POST", json })
      const path = `/api/v1/webhooks/${String(Reflect.get(Object(body), "webhook_id"))}`
      const changed = { url: "https://example.com/two", types: ["user.*"], status: "PAUSED", description: "Ledger" }
      assert.strictEqual((yield* send(path, { token, method: "PATCH", json: changed })).status, 200)
      const { text } = yield* browser.get("/console/audit")
      assert.include(text, "data-label=\"Changed fields\"><span>URL, Events, Note, Status, Reason<")
    })))

  it("every field that people change has a label", () => {
    const records = [PartnerDetail.fields, UserDetail.fields, kycFields, Struct.omit(Webhook.fields, ["health"])]
    const fields = [...records.flatMap((record) => Object.keys(record)), "lenders", "strategy"]
    const others = ["kyc.pix.key", "bank_account.bank_code", "metadata.plan", "group.slug", "proposal.status", "quote"]
    // No one changes an id or a time, and the audit page omits a version.
    const unlabelled = ["created_at", "updated_at", "user_id", "version", "webhook_id"]
    for (const words of [wordsEn, wordsPtBr]) {
      assert.deepStrictEqual(
        [...new Set([...fields, ...others])].filter((field) => fieldLabel(words, field) === field).toSorted(),
        unlabelled
      )
    }
  })

  it("an action of a host's own contract has a text", () => {
    const statuses: Readonly<Record<HostContractStatus, true>> = {
      ACCEPTED: true,
      PAID: true,
      REVERSED: true,
      ENDED: true
    }
    const actions = Object.keys(statuses).map((status) => `commission_contract.${status.toLowerCase()}`)
    for (const action of [...actions, "commission_statement.compare"]) {
      for (const language of ["en", "pt-BR"] as const) assert.notInclude(actionText(action, language), action)
    }
  })

  it.effect("T78 a hostile text in any record is shown as text on every page", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner({ name: hostile, email: `a${hostile}@example.com` })
      const child: PartnerDetail = yield* storeChildPartner(root, { name: hostile })
      const { browser, user } = yield* givenVisitor(root, "admin", { name: hostile })
      const application = yield* storeApplication(root, {
        customer: { ...aCustomer().build(), name: hostile, email: `${hostile}@example.com` },
        external_id: hostile
      })
      const ledger = yield* CommissionLedger
      yield* ledger.append([
        yield* aCommissionEntry([child, root], { kind: "ADJUSTMENT", note: hostile, lender: hostile, table: hostile })
      ])
      const paths = [
        ...pages.filter(({ path }) => !path.includes(":")).map(({ path }) => path),
        `/console/partners/${child.partner_id}`,
        `/console/partners/${root.partner_id}`,
        `/console/commissions/${child.partner_id}`,
        `/console/commissions/${child.partner_id}/statement`,
        `/console/commissions?period=${encodeURIComponent(hostile)}`,
        `/console/users/${user.user_id}`,
        `/console/applications/${application.application_id}`,
        `/console/applications/${application.application_id}/kyc`,
        `/console/partners/new?parent=${child.partner_id}`,
        `/console/partners?name=${encodeURIComponent(hostile)}`,
        `/console/applications?external_id=${encodeURIComponent(hostile)}&cpf=${encodeURIComponent(hostile)}`,
        `/console/audit?subject_id=${encodeURIComponent(hostile)}`,
        `/console/sign-in?back=${encodeURIComponent(hostile)}`
      ]
      let shown = 0
      for (const path of paths) {
        const { status, text } = yield* browser.get(path)
        assert.isBelow(status, 500, path)
        assert.notMatch(text, /<script>alert|<img|onerror=alert\(1\)>/, path)
        if (text.includes("&lt;script&gt;alert(1)")) shown++
      }
      assert.isAtLeast(shown, 11)
      const refused = yield* browser.post("/console/partners/new", { action: "add", "partner.name": hostile })
      assert.notMatch(refused.text, /<script>alert|<img/)
      assert.include(refused.text, "&lt;script&gt;")
    })))

  it.effect("T01 the page of a partner leads to the forms for its users and clients, which show only partners in the subtree", () =>
    withConsole(Effect.gen(function*() {
      const { partners } = yield* givenPlaces
      const { browser } = yield* givenVisitor(partners.own)
      for (const list of ["users", "clients"]) {
        for (const place of ["child", "sibling"] as const) {
          const { name, partner_id } = partners[place]
          const path = `/console/${list}/new?partner=${partner_id}`
          const isInside = place === "child"
          assert.strictEqual((yield* browser.get(`/console/partners/${partner_id}`)).text.includes(path), isInside)
          const { text } = yield* browser.get(path)
          assert.include(text, `name="partner_id" type="text" inputmode="text" value="${partner_id}"`)
          assert.strictEqual(text.includes(`id="add-partner_id-hint">${name}<`), isInside)
        }
      }
      const manager = yield* givenVisitor(partners.own, "manager")
      const { text } = yield* manager.browser.get(`/console/partners/${partners.child.partner_id}`)
      assert.deepStrictEqual(["users", "clients"].map((list) => text.includes(`/${list}/new?`)), [true, false])
    })))

  it.effect("a form that is sent twice has one effect", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const page = yield* browser.get("/console/applications/new")
      const key = /name="key" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
      const fields = { action: "open", key, "customer.cpf": "111.444.777-35", "customer.birth_date": "1990-05-17" }
      const once = yield* browser.post("/console/applications/new", fields)
      const twice = yield* browser.post("/console/applications/new", fields)
      assert.deepStrictEqual([once.status, twice.location], [303, once.location])
      const changed = yield* browser.post("/console/applications/new", {
        ...fields,
        "customer.birth_date": "1991-05-17"
      })
      assert.include(changed.text, "You already sent this form, with other values. Check them, and send it again.")
      const next = /name="key" value="([^"]*)"/.exec(changed.text)?.[1] ?? ""
      assert.strictEqual((yield* browser.post("/console/applications/new", { ...fields, key: next })).status, 303)
    })))

  it("a number is read as people of the language write it, and never as another number", () => {
    for (
      const [language, text, value] of [
        ["pt-BR", "1.500,50", 1_500.5],
        ["pt-BR", "1500,50", 1_500.5],
        ["pt-BR", "1.500", 1_500],
        ["pt-BR", "1500.50", "1500.50"],
        ["pt-BR", "1,500.50", "1,500.50"],
        ["en", "1,500.50", 1_500.5],
        ["en", "1500", 1_500],
        ["en", "1500,50", "1500,50"],
        ["en", "1.500,50", "1.500,50"],
        ["en", numberText(1_500.5, "en"), 1_500.5],
        ["pt-BR", numberText(1_500.5, "pt-BR"), 1_500.5]
      ] as const
    ) {
      const body = bodyOf(language, [{ path: "amount", kind: "decimal" }], { amount: text })
      assert.deepStrictEqual(body, { amount: value }, `${language} ${text}`)
    }
  })

  it.effect("a bound in an error is written as people of the language write it", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* givenVisitor(yield* storeRootPartner())
      const fields = { action: "open", "customer.birth_date": "1800-01-01", desired_amount: "-1" }
      const answerIn = (language: string, sent: Readonly<Record<string, string>> = {}) =>
        Effect.map(
          browser.post("/console/applications/new", { ...fields, ...sent }, { "accept-language": language }),
          ({ text }) => text
        )
      assert.include(yield* answerIn("pt-BR"), "O valor deve ser no mínimo 0,01.")
      assert.include(yield* answerIn("pt-BR"), "O valor deve estar entre 01/01/1900 e ")
      assert.include(yield* answerIn("en"), "The value must be at least 0.01.")
      assert.include(yield* answerIn("pt-BR", { desired_amount: "1000.50" }), "Escreva o número assim: 1.234,56.")
    })))

  it.effect("USER-02 USER-09 the status of a user is offered exactly to those whose change the API accepts", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { send } = yield* Server
      for (const viewer of ["admin", "manager"] as const) {
        const { browser, token } = yield* givenVisitor(root, viewer)
        for (const { slug } of groups) {
          for (const [status, next] of [["ACTIVE", "INACTIVE"], ["INACTIVE", "ACTIVE"]] as const) {
            const { user_id } = yield* storeUser(root, { group: groupRecord(groupBySlug(slug)), status })
            const { text } = yield* browser.get(`/console/users/${user_id}`)
            const answer = yield* send(`/api/v1/users/${user_id}`, { token, method: "PATCH", json: { status: next } })
            const isOffered = text.includes(`name="action" value="${next}"`)
            assert.strictEqual(isOffered, answer.status === 200, `${viewer} ${slug} ${status} ${answer.status}`)
          }
        }
      }
    })))

  it.effect("a form that the page does not offer any more says why it was refused", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const { application_id } = yield* storeApplication(root)
      const path = `/console/applications/${application_id}`
      const form = formTokenOf(yield* browser.get(path))
      const fields = { form, action: "cancel", reason: "CUSTOMER_REQUEST" }
      assert.strictEqual((yield* browser.post(path, { ...fields, key: "one" })).status, 303)
      const late = yield* browser.post(path, { ...fields, key: "two" })
      assert.isAtLeast(late.status, 400)
      assert.match(late.text, /role="alert"[^>]*autofocus/)
      for (const key of ["\u0000", "x".repeat(10_000), ""]) {
        assert.strictEqual((yield* browser.post(path, { ...fields, key })).status, 422)
      }
    })))

  it.effect("an API client is created, gets another secret, and is revoked; each secret is shown once", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* givenVisitor(yield* storeRootPartner())
      const { send } = yield* Server
      const page = yield* browser.get("/console/clients/new")
      const key = /name="key" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
      const fields = { action: "add", key, name: "Integração", group_id: "operator" }
      const made = yield* browser.post("/console/clients/new", fields)
      const [client_id = "", client_secret = ""] = codesOf(made)
      const form = { grant_type: "client_credentials", client_id, client_secret }
      assert.strictEqual((yield* send("/api/v1/oauth/token", { form })).status, 200)
      const again = yield* browser.post("/console/clients/new", fields)
      assert.deepStrictEqual([again.status, again.location], [303, `/console/clients/${client_id}`])
      const path = `/console/clients/${client_id}`
      assert.notInclude((yield* browser.get(path)).text, client_secret)
      const rotated = yield* browser.post(path, { action: "rotate", key: `${key}-rotate` })
      assert.strictEqual(rotated.status, 200)
      assert.notInclude(rotated.text, client_secret)
      const early = yield* browser.post(path, { action: "rotate", key: `${key}-again` })
      assert.strictEqual(early.status, 409)
      assert.include(early.text, "An earlier secret is still valid. Replace the secret again when it has ended")
      assert.include((yield* browser.get("/console/audit")).text, "replaced the secret of an API client")
      assert.strictEqual((yield* browser.post(path, { action: "revoke" })).status, 303)
      assert.strictEqual((yield* send("/api/v1/oauth/token", { form })).status, 401)
    })))

  it.effect("a wrong filter has its error at its field, and other wrong parameters an error page", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* givenVisitor(yield* storeRootPartner())
      const applications = "/console/applications"
      for (const [name, value, open] of [["cpf", "123", ""], ["created_from", "x", " open"], ["status", "FOO", ""]]) {
        const page = yield* browser.get(`${applications}?${name}=${value}&external_id=loan-1`)
        assert.strictEqual(page.status, 422)
        assert.match(page.text, new RegExp(`id="f-${name}"[^>]*aria-describedby="f-${name}-error"`))
        assert.match(page.text, new RegExp(`id="f-${name}-error">\\w`))
        assert.match(page.text, /name="external_id"[^>]*value="loan-1"/)
        assert.include(page.text, `<details${open}><summary>More filters`)
        assert.include(page.text, "role=\"alert\"")
        assert.include(linksOf(page), applications)
      }
      const both = yield* browser.get(`${applications}?cpf=123&colour=red&page=x`)
      assert.strictEqual(both.status, 422)
      assert.include(both.text, `<a href="${applications}">Back</a>`)
    })))

  it.effect("a page with a wrong filter, of an unknown record or without permission keeps the navigation", () =>
    withConsole(Effect.gen(function*() {
      const { browser } = yield* givenVisitor(yield* storeRootPartner(), "viewer")
      const applications = "/console/applications"
      for (
        const [path, status, link] of [
          [`${applications}?sort=x`, 422, `<a href="${applications}">Back</a>`],
          [`${applications}?sort=x&status=QUOTED`, 422, `<a href="${applications}?status=QUOTED">Back</a>`],
          [`${applications}/csv?created_from=x`, 422, `<a href="${applications}">Back</a>`],
          [`${applications}/0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40`, 404, "<a href=\"/console\">Overview</a>"],
          ["/console/nothing", 404, "<a href=\"/console\">Overview</a>"],
          [`${applications}/a/b/c`, 404, "<a href=\"/console\">Overview</a>"],
          ["/console/audit", 403, "<a href=\"/console\">Overview</a>"]
        ] as const
      ) {
        const page = yield* browser.get(path)
        assert.strictEqual(page.status, status, path)
        assert.include(linksOf(page), applications, path)
        assert.include(page.text, link, path)
        assert.notInclude(page.text, "query.", path)
      }
      // Without `kyc:read`, the API refuses the filter by CPF.
      assert.notInclude((yield* browser.get(applications)).text, "name=\"cpf\"")
    })))

  it.effect("an error of the API stands at its field, with what was sent, and an unknown page is a page", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const sent = { action: "open", "customer.cpf": "123", "customer.birth_date": "1990-05-17", desired_amount: "x" }
      const { status, text } = yield* browser.post("/console/applications/new", sent)
      assert.strictEqual(status, 422)
      assert.match(text, /name="customer.cpf"[^>]*value="123"[^>]*aria-invalid="true"/)
      assert.match(text, /name="desired_amount"[^>]*value="x"[^>]*aria-invalid="true"/)
      assert.notMatch(text, /name="customer.birth_date"[^>]*aria-invalid/)
      const missing = yield* browser.get("/console/applications/0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40")
      assert.strictEqual(missing.status, 404)
      assert.match(missing.text, /<h1>This page does not exist<\/h1>/)
    })))
})
