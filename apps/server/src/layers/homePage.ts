import { type OpenDocument, staticPage, version } from "@lastro/adapters-http"
import { Effect } from "effect"

/** The text of a link, and its description. */
type LinkText = readonly [text: string, about: string]

/** A link of the page: its key in the JSON form, its path, and its texts. */
interface PageLink {
  readonly key: string
  readonly path: string
  readonly en: LinkText
  readonly ptBr: LinkText
}

const console: ReadonlyArray<PageLink> = [
  {
    key: "console",
    path: "/console",
    en: ["Console", "work with applications, partners and users"],
    ptBr: ["Console", "trabalhe com solicitações, parceiros e usuários"]
  }
]

const documentation: ReadonlyArray<PageLink> = [
  {
    key: "documentation",
    path: "/docs",
    en: ["Documentation", "read and try every operation"],
    ptBr: ["Documentação", "leia e teste cada operação"]
  },
  {
    key: "openapi",
    path: "/openapi.json",
    en: ["OpenAPI document", "generate a client"],
    ptBr: ["Documento OpenAPI", "gere um cliente"]
  },
  {
    key: "openapi_yaml",
    path: "/openapi.yaml",
    en: ["OpenAPI document in YAML", "read it in an editor"],
    ptBr: ["Documento OpenAPI em YAML", "leia-o em um editor"]
  },
  {
    key: "llms",
    path: "/llms.txt",
    en: ["llms.txt", "a summary for language models"],
    ptBr: ["llms.txt", "um resumo para modelos de linguagem"]
  }
]

const usualLinks: ReadonlyArray<PageLink> = [
  {
    key: "authorization_server",
    path: "/.well-known/oauth-authorization-server",
    en: ["OAuth 2 metadata", "find the token endpoint and the keys"],
    ptBr: ["Metadados do OAuth 2", "encontre o endpoint de tokens e as chaves"]
  },
  {
    key: "ready",
    path: "/health/ready",
    en: ["Readiness", "200 if this node serves requests, otherwise 503"],
    ptBr: ["Prontidão", "200 se este nó atende requisições, senão 503"]
  },
  {
    key: "live",
    path: "/health/live",
    en: ["Liveness", "200 while the process runs"],
    ptBr: ["Atividade", "200 enquanto o processo roda"]
  }
]

const summary = "API for partner hierarchies and FGTS loan origination"

/** The other texts of the page. */
const texts = {
  en: { lang: "en", about: `${summary}. Version ${version}.`, nav: "Start here" },
  ptBr: {
    lang: "pt-BR",
    about: `API para hierarquias de parceiros e originação de empréstimos com FGTS. Versão ${version}.`,
    nav: "Comece aqui"
  }
} as const

/**
 * Returns the page in HTML. `basePath` is a part of the issuer, so it contains only characters that are safe in HTML.
 */
const page = (basePath: string, links: ReadonlyArray<PageLink>, language: "en" | "ptBr") => {
  const { about, lang, nav } = texts[language]
  const items = links.map(({ path, [language]: [text, about] }) =>
    `<li><a href="${basePath}${path}">${text}</a>: ${about}</li>`
  )
  return staticPage({
    lang,
    title: `Lastro ${version}`,
    style: "li{margin:.5rem 0}",
    main: `<p>${about}</p>\n<nav aria-label="${nav}">\n<ul>\n${items.join("\n")}\n</ul>\n</nav>`
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
  const { html, policy } = page(basePath, links, "en")
  return {
    path: "/",
    type: "application/json",
    text: Effect.succeed(json(basePath, links)),
    headers,
    otherForms: [{
      type: "text/html; charset=utf-8",
      text: Effect.succeed(html),
      textPtBr: Effect.succeed(page(basePath, links, "ptBr").html),
      headers: { ...headers, "content-security-policy": policy }
    }]
  }
}
