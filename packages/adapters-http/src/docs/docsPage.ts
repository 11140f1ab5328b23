import { hash } from "node:crypto"
import { type Language } from "../errors/Language.ts"
import { pageScript } from "./pageScript.ts"
import { pageStyle } from "./pageStyle.ts"
import { pageTexts } from "./pageTexts.ts"
import { viewerHash } from "./viewer.ts"

/** A page and its response headers (names in lower case). */
export interface DocsPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The content security policy of the page. It allows scripts of this server, the inline script, and requests to this
 * server. It does not restrict styles, because the viewer writes `<style>` elements and `style` attributes.
 */
const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${hash("sha256", pageScript, "base64")}'`,
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const headers = {
  "cache-control": "no-cache",
  "content-security-policy": policy
}

const switchTo = (language: Language, present: Language, name: string): string =>
  `<a href="docs?lang=${language}" hreflang="${language}" lang="${language}"${
    language === present ? ` aria-current="true"` : ""
  }>${name}</a>`

/** Returns the interactive documentation. Its links are relative, so it works below any path. */
export const docsPage = (language: Language): DocsPage => {
  const texts = pageTexts[language]
  return {
    headers,
    html: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${texts.heading}</h1>
<select id="operations" aria-label="${texts.operations}">
<option value="overview">${texts.overview}</option><option value="auth">${texts.signIn}</option>
</select>
<nav aria-label="${texts.documents}">
<a href="openapi.json?lang=${language}">OpenAPI (JSON)</a>
<a href="openapi.yaml?lang=${language}">YAML</a>
<a href="llms.txt">llms.txt</a>
<a href="#?route=auth">${texts.signIn}</a>
</nav>
<nav aria-label="${texts.language}">
${switchTo("en", language, "English")}
${switchTo("pt-BR", language, "Português")}
</nav>
</header>
<noscript><p>${texts.noScript}</p></noscript>
<openapi-explorer spec-url="openapi.json?lang=${language}" hide-server-selection collapse default-schema-tab="body"
 table schema-expand-level="2" primary-color="#0b6e4f" secondary-color="#ffd166">
<div slot="authentication">
<form id="sign-in" method="post" aria-labelledby="sign-in-heading">
<h2 id="sign-in-heading">${texts.signIn}</h2>
<p>${texts.about}</p>
<p><label for="grant">${texts.grant}</label>
<select id="grant"><option value="client_credentials">${texts.client}</option><option value="password">${texts.user}</option></select></p>
<p><label for="name">${texts.name}</label><input id="name" autocomplete="username" spellcheck="false" required></p>
<p><label for="secret">${texts.secret}</label><input id="secret" type="password" autocomplete="current-password" required></p>
<p><button>${texts.signIn}</button></p>
<output data-done="${texts.done}" data-failed="${texts.failed}"></output>
</form>
</div>
</openapi-explorer>
<script>${pageScript}</script>
<script type="module" src="docs/viewer.js?v=${viewerHash}"></script>
</body>
</html>
`
  }
}
