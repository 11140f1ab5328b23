import { type Language } from "../errors/Language.ts"
import { staticPage } from "./staticPage.ts"

const texts = {
  en: { title: "Page not found", about: "This server has no page at this address.", home: "Go to the start page" },
  "pt-BR": {
    title: "Página não encontrada",
    about: "Este servidor não tem uma página neste endereço.",
    home: "Ir para a página inicial"
  }
} as const satisfies Record<Language, unknown>

/** Returns the page for an unknown address. `basePath` contains only characters that are safe in HTML. */
export const notFoundPage = (language: Language, basePath: string) => {
  const { about, home, title } = texts[language]
  const main = `<p>${about}</p>\n<p><a href="${basePath}/">${home}</a></p>`
  const { html, policy } = staticPage({ lang: language, title, main })
  return { headers: { "content-security-policy": policy, "content-language": language }, html }
}
