import { hash } from "node:crypto"
import { type Language } from "../errors/Language.ts"

const style = `:root{color-scheme:light dark}
body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}`

const texts = {
  en: { title: "Page not found", about: "This server has no page at this address.", home: "Go to the start page" },
  "pt-BR": {
    title: "Página não encontrada",
    about: "Este servidor não tem uma página neste endereço.",
    home: "Ir para a página inicial"
  }
} as const satisfies Record<Language, unknown>

/** The content security policy of the page. It loads nothing and has only an inline style. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** Makes the page for an unknown address. `basePath` contains only characters that are safe in HTML. */
export const notFoundPage = (language: Language, basePath: string) => {
  const { about, home, title } = texts[language]
  return {
    headers: { "content-security-policy": policy, "content-language": language },
    html: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${about}</p>
<p><a href="${basePath}/">${home}</a></p>
</main>
</body>
</html>
`
  }
}
