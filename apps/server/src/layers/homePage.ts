import { type OpenDocument, staticPage, version } from "@lastro/adapters-http"
import { Effect } from "effect"

/** A link of the page: its key in the JSON form, its path, its text and its description. */
interface PageLink {
  readonly key: string
  readonly path: string
  readonly text: string
  readonly about: string
}

const console: ReadonlyArray<PageLink> = [
  { key: "console", path: "/console", text: "Console", about: "work with applications, partners and users" }
]

const documentation: ReadonlyArray<PageLink> = [
  { key: "documentation", path: "/docs", text: "Documentation", about: "read and try every operation" },
  { key: "openapi", path: "/openapi.json", text: "OpenAPI document", about: "generate a client" },
  { key: "openapi_yaml", path: "/openapi.yaml", text: "OpenAPI document in YAML", about: "read it in an editor" },
  { key: "llms", path: "/llms.txt", text: "llms.txt", about: "a summary for language models" }
]

const usualLinks: ReadonlyArray<PageLink> = [
  {
    key: "authorization_server",
    path: "/.well-known/oauth-authorization-server",
    text: "OAuth 2 metadata",
    about: "find the token endpoint and the keys"
  },
  { key: "ready", path: "/health/ready", text: "Readiness", about: "200 if this node serves requests, otherwise 503" },
  { key: "live", path: "/health/live", text: "Liveness", about: "200 while the process runs" }
]

const summary = "API for partner hierarchies and FGTS loan origination"

/**
 * Returns the page in HTML. `basePath` is a part of the issuer, so it contains only characters that are safe in HTML.
 */
const page = (basePath: string, links: ReadonlyArray<PageLink>) => {
  const items = links.map(({ about, path, text }) => `<li><a href="${basePath}${path}">${text}</a>: ${about}</li>`)
  return staticPage({
    lang: "en",
    title: `Lastro ${version}`,
    style: "li{margin:.5rem 0}",
    main: `<p>${summary}. Version ${version}.</p>\n<nav aria-label="Start here">\n<ul>\n${
      items.join("\n")
    }\n</ul>\n</nav>`
  })
}

const json = (basePath: string, links: ReadonlyArray<PageLink>): string =>
  JSON.stringify({
    name: "Lastro",
    summary,
    version,
    links: Object.fromEntries(links.map(({ key, path }) => [key, `${basePath}${path}`]))
  })

/** The page at `/`: HTML for browsers, and JSON for other clients. Its links start with the path of the issuer. */
export const homePage = (issuer: string, served = { console: true, documentation: true }): OpenDocument => {
  const basePath = new URL(issuer).pathname.replace(/\/$/, "")
  const headers = { "cache-control": "no-cache" }
  const links = [
    ...(served.console ? console : []),
    ...(served.documentation ? documentation : []),
    ...usualLinks
  ]
  const { html, policy } = page(basePath, links)
  return {
    path: "/",
    type: "application/json",
    text: Effect.succeed(json(basePath, links)),
    headers,
    otherForms: [{
      type: "text/html; charset=utf-8",
      text: Effect.succeed(html),
      headers: { ...headers, "content-security-policy": policy }
    }]
  }
}
