import { hash } from "node:crypto"
import { type Language } from "../errors/Language.ts"

/** A page that is the same for every visitor. */
interface StaticPage {
  /** The language of the page, for example `pt-BR`. */
  readonly lang: string
  readonly title: string
  /** The content as HTML. It contains only constants and texts that are safe in HTML. */
  readonly main: string
  /** Further rules of the style sheet. */
  readonly style?: string
}

const basicStyle = `:root{color-scheme:light dark;background:Canvas;color:CanvasText}
body{font:1rem/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}
`

/**
 * Returns a page that loads nothing: its HTML, and a content security policy (CSP Level 3) that allows only its inline
 * style.
 */
export const staticPage = ({ lang, main, style = "", title }: StaticPage) => {
  const styles = `${basicStyle}${style}`
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", styles, "base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
  const html = `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
  return { html, policy }
}

const notFoundTexts = {
  en: { title: "Page not found", about: "This server has no page at this address.", home: "Go to the start page" },
  "pt-BR": {
    title: "Página não encontrada",
    about: "Este servidor não tem uma página neste endereço.",
    home: "Ir para a página inicial"
  }
} as const satisfies Record<Language, unknown>

/** Returns the page for an unknown address. `basePath` contains only characters that are safe in HTML. */
export const notFoundPage = (language: Language, basePath: string) => {
  const { about, home, title } = notFoundTexts[language]
  const main = `<p>${about}</p>\n<p><a href="${basePath}/">${home}</a></p>`
  const { html, policy } = staticPage({ lang: language, title, main })
  return { headers: { "content-security-policy": policy, "content-language": language }, html }
}
