import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { accessibilityProblems, contrastProblems, overflowOf, takeScreenshot } from "../../../test/browser/chromium.ts"
import { accept, administrate, layerConsole, openApplication, type Person, visit } from "./running/consolePerson.ts"

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
  "/console/audit",
  "/console/unknown"
]

/** The pages of the first record of each list. */
const recordPages = ({ page }: Person) =>
  Effect.promise(async () => {
    const found: Array<string> = []
    for (const list of ["applications", "partners", "users", "commissions"]) {
      // eslint-disable-next-line no-await-in-loop -- One page shows one list after another.
      await page.goto(`/console/${list}`, { waitUntil: "domcontentloaded" })
      const link = page.locator("main :is(tbody, .tree, h2) a").first()
      // eslint-disable-next-line no-await-in-loop
      found.push(String(await link.getAttribute("href")))
    }
    return found.flatMap((path) =>
      path.includes("/applications/")
        ? [path, `${path}/kyc`]
        : path.includes("/commissions/")
        ? [path, path.replace("?", "/statement?")]
        : [path]
    )
  })

const nameOf = (path: string): string =>
  path.replaceAll(/^\/console\/?|[\da-f-]{36}|\?.*/g, "").replaceAll("/", "-") || "home"

/** Looks at a page in light and dark. Returns its problems. Only the contrast can differ between the two. */
const problemsOf = Effect.fnUntraced(function*({ opens, page }: Person, path: string, look: string) {
  yield* opens(path)
  const width = yield* overflowOf(page)
  const { length } = yield* Effect.promise(() => page.content())
  const found = [
    ...width > 0 ? [`${width} px too wide`] : [],
    ...length > 60_000 ? [`${length} characters`] : [],
    ...yield* accessibilityProblems(page)
  ]
  yield* takeScreenshot(page, `console-${nameOf(path)}-${look}-light`, true)
  yield* Effect.promise(() => page.emulateMedia({ colorScheme: "dark" }))
  found.push(...yield* contrastProblems(page))
  yield* takeScreenshot(page, `console-${nameOf(path)}-${look}-dark`, true)
  yield* Effect.promise(() => page.emulateMedia({ colorScheme: "light" }))
  return found.map((one) => `${path} ${look}: ${one}`)
})

layer(layerConsole(), { timeout: 180_000, excludeTestServices: true })("the looks of the console", (it) => {
  it.effect(
    "every page fits, and has no problem of accessibility, in both languages, on a phone and a laptop",
    () =>
      Effect.gen(function*() {
        const writer = yield* administrate()
        yield* accept(writer, "00", 30)
        yield* openApplication(writer, "00", 31)
        yield* writer.sees(writer.words.applicationStatus.QUOTED)
        const all = [...paths, ...yield* recordPages(writer)]
        const problems = yield* Effect.forEach(
          [["phone", "pt-BR"], ["laptop", "en-US"]] as const,
          ([viewport, locale]) =>
            Effect.gen(function*() {
              const stranger = yield* visit({ viewport, locale })
              const person = yield* administrate({ viewport, locale })
              return [
                ...yield* problemsOf(stranger, "/console/sign-in", viewport),
                ...(yield* Effect.forEach(all, (path) => problemsOf(person, path, viewport))).flat()
              ]
            }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(problems.flat(), [])
      }),
    300_000
  )
})
