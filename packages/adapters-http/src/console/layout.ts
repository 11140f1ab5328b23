import { type Permission } from "@lastro/domain/access"
import { icon, scriptFile, styleSheet } from "./assets.ts"
import { refusalHtml } from "./forms.ts"
import { type Html, html, nothing, scriptElement } from "./html.ts"
import { languageForm } from "./Rejection.ts"
import { may, parameter, type Visit } from "./Visit.ts"
import { type Words } from "./wordsEn.ts"

/** The content of a page. */
export interface View {
  readonly title: string
  /** The HTTP status. Default: 200. */
  readonly status?: number
  /** Buttons and links beside the title. */
  readonly actions?: Html
  readonly body: Html
}

/** An entry of the navigation, with the permission that it requires. */
interface NavigationEntry {
  readonly path: string
  readonly text: (words: Words) => string
  readonly permission: Permission | null
}

const navigation: ReadonlyArray<NavigationEntry> = [
  { path: "/console", text: (words) => words.home, permission: "fgts:read" },
  { path: "/console/applications", text: (words) => words.applications, permission: "fgts:read" },
  { path: "/console/commissions", text: (words) => words.commissions.title, permission: "commissions:read" },
  { path: "/console/partners", text: (words) => words.partners, permission: "partners:read" },
  { path: "/console/users", text: (words) => words.users, permission: "users:read" },
  { path: "/console/clients", text: (words) => words.clients, permission: "clients:write" },
  { path: "/console/audit", text: (words) => words.audit, permission: "audit:read" }
]

/** The parts of a visit that the frame of a page needs. Without a session, there is no caller. */
type Framed = Pick<Visit, "base" | "words"> & Partial<Visit>

const isWithin = (path: string, entry: string): boolean =>
  path === entry || entry !== "/console" && path.startsWith(`${entry}/`)

const languageLink = ({ base, exchange, form, refused, words }: Framed): Html => {
  const code = words.code === "en" ? "pt-BR" : "en"
  if (form !== undefined && refused !== undefined) return languageForm({ form, refused, words }, code)
  const back = exchange === undefined ? "/console" : exchange.request.url
  return html`<a lang="${code}" hreflang="${code}" href="${base}/console/language?to=${code}&amp;back=${
    encodeURIComponent(back)
  }">${words.otherLanguage}</a>`
}

const topBar = (visit: Visit): Html => {
  const { base, caller, exchange, form, words } = visit
  const entries = navigation.filter(({ permission }) => !caller.must_change_password && may(visit, permission))
  return html`<nav aria-label="${words.menu}"><ul>${
    entries.map(({ path, text }) =>
      html`<li><a href="${base}${path}"${isWithin(exchange.path, path) ? html` aria-current="page"` : nothing}>${
        text(words)
      }</a></li>`
    )
  }</ul></nav><div class="who"><span class="role">${
    words.groups[caller.group]
  }</span><a href="${base}/console/password">${words.password}</a>${
    languageLink(visit)
  }<form method="post" action="${base}/console/sign-out"><input type="hidden" name="form" value="${form}"><button class="plain">${words.signOut}</button></form></div>`
}

const isVisit = (framed: Framed): framed is Visit => framed.caller !== undefined

/** Returns the HTML of a whole page. */
export const pageText = (framed: Framed, { actions, body, title }: View): string => {
  const { base, words } = framed
  const done = isVisit(framed) && framed.refused === undefined && parameter(framed, "done") !== ""
  return html`<!doctype html>
<html lang="${words.code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${words.app}</title>
<link rel="stylesheet" href="${base}${styleSheet.path}">
<link rel="icon" type="image/svg+xml" href="${base}${icon.path}">
${scriptElement(`${base}${scriptFile.path}`)}
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header class="top"><div class="in"><strong>${words.app}</strong>${
    isVisit(framed) ? topBar(framed) : html`<div class="who">${languageLink(framed)}</div>`
  }</div></header>
<main id="content" tabindex="-1">
${
    done
      ? html`<div class="message good" role="status">${words.saved}</div>`
      : nothing
  }<div class="head"><h1>${title}</h1>${actions ?? nothing}</div>
${isVisit(framed) ? refusalHtml(framed, body) : nothing}
${body}
</main>
<div id="live" role="status" class="skip"></div>
</body>
</html>
`.toString()
}

/** The content security policy. A page loads only the style sheet, the script and the icon of the console. */
export const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")
