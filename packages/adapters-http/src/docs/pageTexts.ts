import { type Language } from "../errors/Language.ts"

/** The texts of the page around the viewer. */
export const pageTexts = {
  en: {
    title: "Lastro API",
    heading: "Lastro API",
    documents: "Documents",
    language: "Language",
    operations: "Operation",
    overview: "Overview",
    noScript: "The viewer needs JavaScript. The documents linked above do not.",
    signIn: "Sign in",
    about:
      "Gets an access token from this server and sends it with every request that you try. The token is kept in this page only.",
    grant: "Sign in as",
    client: "API client",
    user: "User",
    name: "Client id or e-mail address",
    secret: "Client secret or password",
    done: "Signed in. Select an operation and send its example.",
    failed: "The server cannot be reached."
  },
  "pt-BR": {
    title: "API do Lastro",
    heading: "API do Lastro",
    documents: "Documentos",
    language: "Idioma",
    operations: "Operação",
    overview: "Visão geral",
    noScript: "O visualizador precisa de JavaScript. Os documentos acima, não.",
    signIn: "Entrar",
    about:
      "Obtém um token de acesso deste servidor e o envia em cada requisição que você testar. O token fica só nesta página.",
    grant: "Entrar como",
    client: "Cliente da API",
    user: "Usuário",
    name: "Id do cliente ou e-mail",
    secret: "Segredo do cliente ou senha",
    done: "Acesso liberado. Escolha uma operação e envie o exemplo.",
    failed: "Não foi possível acessar o servidor."
  }
} as const satisfies Record<Language, unknown>
