import type axe from "axe-core"
import { Effect, type Scope } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { type Browser, chromium, type Page } from "playwright-core"

/** The folder of the screenshots, which Git ignores. */
const screenshots = fileURLToPath(new URL("../../.tmp/screenshots/", import.meta.url))

/** Debian's Chromium without windows. It needs three fifths of the processor time of the complete one. */
const headlessShell = "/usr/bin/chromium-headless-shell"

/** The browser: the file that `CHROMIUM` names, or the one that Debian's packages install. */
const executablePath = process.env["CHROMIUM"] ?? (existsSync(headlessShell) ? headlessShell : "/usr/bin/chromium")

// The browser must connect to no other machine, not even to its maker's servers.
const args = [
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--no-first-run",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])
]

/** Starts Chromium. Ends it when the scope closes. */
export const openBrowser: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => chromium.launch({ executablePath, args })),
  (browser) => Effect.promise(() => browser.close())
)

/** The two sizes that every page must fit: a small phone and a laptop. */
const viewports = {
  phone: { width: 360, height: 640 },
  laptop: { width: 1_440, height: 900 }
} as const

/** The properties of a visitor's browser. */
export interface Visitor {
  /** The only server that pages may connect to. */
  readonly url: string
  /** Default: laptop. */
  readonly viewport?: keyof typeof viewports
  /** Default: light. */
  readonly colorScheme?: "light" | "dark"
  /** Default: en-US. */
  readonly locale?: "en-US" | "pt-BR"
  /** Default: true. */
  readonly isJavaScriptEnabled?: boolean
}

/** A page in a profile of its own: its cookies and storage are empty and not shared. */
export interface OpenPage {
  readonly page: Page
  /** Failures so far: uncaught errors, errors in the console, and requests to other servers, whose names do not resolve. */
  readonly failures: ReadonlyArray<string>
}

/** Opens an empty page. Paths in `page.goto` are relative to the visitor's server. */
export const openPage = (
  browser: Browser,
  { colorScheme = "light", isJavaScriptEnabled = true, locale = "en-US", url, viewport = "laptop" }: Visitor
): Effect.Effect<OpenPage, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() =>
        browser.newContext({
          baseURL: url,
          colorScheme,
          javaScriptEnabled: isJavaScriptEnabled,
          locale,
          reducedMotion: "reduce",
          viewport: viewports[viewport],
          ...(viewport === "phone" ? { hasTouch: true, isMobile: true } : {})
        })
      ),
      (context) => Effect.promise(() => context.close())
    ),
    (context) =>
      Effect.promise(async () => {
        // A busy machine is slow, and the test itself has a time limit.
        context.setDefaultTimeout(120_000)
        const failures: Array<string> = []
        const page = await context.newPage()
        page.on("pageerror", (error) => failures.push(`uncaught: ${error.message}`))
        page.on("console", (message) => {
          if (message.type() === "error") failures.push(`console: ${message.text()} (${message.location().url})`)
        })
        const { origin } = new URL(url)
        // Playwright's interception of requests would disable the browser's cache.
        context.on("request", (request) => {
          const address = new URL(request.url())
          if (address.origin !== origin && address.protocol.startsWith("http")) {
            failures.push(`request to another server: ${address.href}`)
          }
        })
        return { page, failures }
      })
  ).pipe(Effect.flatten)

/** Returns by how many CSS pixels a page is wider than the window, or the content of a card wider than the card. */
export const overflowOf = (page: Page): Effect.Effect<number> =>
  Effect.promise(() =>
    page.evaluate<number>(`Math.max(
      document.documentElement.scrollWidth - window.innerWidth,
      ...[...document.querySelectorAll(".card")].map((card) => card.scrollWidth - card.clientWidth)
    )`)
  )

/** The minified axe-core, which Chromium compiles for each page in half the time of `axe.source`. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/** The rules of axe-core for WCAG 2.2 AA, and its best practices. */
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

const problemsIn = (page: Page, runOnly: axe.RunOptions["runOnly"]): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    if (!await page.evaluate("'axe' in window")) await page.evaluate(axeSource)
    const { violations } = await page.evaluate<axe.AxeResults>(
      `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ["violations"] })`
    )
    return violations.flatMap(({ help, id, nodes }) =>
      nodes.map(({ failureSummary = "", target }) =>
        `${id} at ${target.flat().join(" > ")}: ${help}. ${failureSummary.replaceAll(/\s+/g, " ")}`
      )
    )
  })

/** Checks a page with all rules. Returns a line for each violation: rule, elements and the remedy. */
export const accessibilityProblems = (page: Page) => problemsIn(page, rules)

/** Checks only the contrast of a page, for another colour scheme of a page that was checked. */
export const contrastProblems = (page: Page) => problemsIn(page, { type: "rule", values: ["color-contrast"] })

/** Checks only the contrast and the sizes of targets, for another screen of a page that was checked. */
export const screenProblems = (page: Page) =>
  problemsIn(page, { type: "rule", values: ["color-contrast", "target-size"] })

/** Off by default, because no test reads a screenshot, and each takes up to a second. */
const takesScreenshots = process.env["SCREENSHOTS"] === "on"

/**
 * Saves a picture of a page for people to look at, if SCREENSHOTS is `on`. `name` has no extension. The picture shows the
 * window, or the whole page if `fullPage` is true.
 */
export const takeScreenshot = (page: Page, name: string, fullPage = false): Effect.Effect<void> =>
  Effect.promise(async () => {
    if (!takesScreenshots) return
    await mkdir(screenshots, { recursive: true })
    await page.screenshot({ path: `${screenshots}${name}.png`, fullPage })
  })
