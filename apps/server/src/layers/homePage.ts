import { type OpenDocument, version } from "@lastro/adapters-http"
import { Effect } from "effect"
import { hash } from "node:crypto"

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

const style = `:root{color-scheme:light dark}
body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}
li{margin:.5rem 0}`

/** The content security policy. The page loads nothing and has only an inline style. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** Makes the page in HTML. `basePath` is part of the issuer, so it contains only characters that are safe in HTML. */
const html = (basePath: string, links: ReadonlyArray<PageLink>): string => {
  const items = links.map(({ about, path, text }) => `<li><a href="${basePath}${path}">${text}</a>: ${about}</li>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lastro ${version}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Lastro</h1>
<p>${summary}. Version ${version}.</p>
<nav aria-label="Start here">
<ul>
${items.join("\n")}
</ul>
</nav>
</main>
</body>
</html>
`
}

const json = (basePath: string, links: ReadonlyArray<PageLink>): string =>
  JSON.stringify({
    name: "Lastro",
    summary,
    version,
    links: Object.fromEntries(links.map(({ key, path }) => [key, `${basePath}${path}`]))
  })

/** The page at `/`, as HTML for browsers and as JSON for other clients. Its links start with the path of the issuer. */
export const homePage = (issuer: string, served = { console: true, documentation: true }): OpenDocument => {
  const basePath = new URL(issuer).pathname.replace(/\/$/, "")
  const headers = { "cache-control": "no-cache" }
  const links = [
    ...(served.console ? console : []),
    ...(served.documentation ? documentation : []),
    ...usualLinks
  ]
  return {
    path: "/",
    type: "application/json",
    text: Effect.succeed(json(basePath, links)),
    headers,
    otherForms: [{
      type: "text/html; charset=utf-8",
      text: Effect.succeed(html(basePath, links)),
      headers: { ...headers, "content-security-policy": policy }
    }]
  }
}
