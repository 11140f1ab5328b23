import { html as template, raw } from "hono/html"
import { renderSVG } from "uqr"

/** A piece of HTML. Only this file makes one: by the tag {@link html}, which escapes every text, or of fixed markup. */
export interface Html {
  readonly isEscaped: true
  readonly toString: () => string
}

/** A value in a template. Texts are escaped. `null`, `undefined` and booleans are omitted. */
export type Interpolated = Html | string | number | boolean | null | undefined | ReadonlyArray<Interpolated>

/** Makes HTML from a template. Escapes every interpolated text, for elements and quoted attributes. */
export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<Interpolated>): Html =>
  template(parts, ...values) as Html

export const nothing: Html = html``

/** Returns a script element. Its end tag is not in a template, because bundlers rewrite templates that contain it. */
export const scriptElement = (src: string): Html =>
  html`${raw("<script src=\"") as Html}${src}${raw("\" defer></script>") as Html}`

/** Returns a URL if a link may open it: `https`, or `http` on this machine. Otherwise undefined. */
export const safeUrl = (url: string): string | undefined =>
  /^https:\/\//i.test(url) || /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/i.test(url) ? url : undefined

/** Shows a text as a QR code. The result consists of squares and contains no part of the text. */
export const qrCode = (text: string, label: string): Html =>
  html`<div class="qr" role="img" aria-label="${label}">${raw(renderSVG(text, { border: 1 })) as Html}</div>`
