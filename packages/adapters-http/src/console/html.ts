import { html as template, raw } from "hono/html"
import { renderSVG } from "uqr"

/** A piece of HTML. Only the tag {@link html} makes one, so that every text in it is escaped. */
export interface Html {
  readonly isEscaped: true
  readonly toString: () => string
}

/** A value in a template. Texts are escaped. `null`, `undefined` and booleans are left out. */
export type Interpolated = Html | string | number | boolean | null | undefined | ReadonlyArray<Interpolated>

/** Makes HTML from a template. Every interpolated text is escaped, in elements and in quoted attributes. */
export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<Interpolated>): Html =>
  template(parts, ...values) as Html

/** HTML without content. */
export const nothing: Html = html``

/** Loads a script. The end tag is not in a template, because bundlers rewrite templates that contain it. */
export const scriptElement = (src: string): Html =>
  html`${raw("<script src=\"") as Html}${src}${raw("\" defer></script>") as Html}`

/** Returns a URL if it can be opened by a click: only `https`, and `http` for this machine. */
export const safeUrl = (url: string): string | undefined =>
  /^https:\/\//i.test(url) || /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/i.test(url) ? url : undefined

/** Shows a text as a QR code. The library makes a picture of squares, which contains no part of the text. */
export const qrCode = (text: string, label: string): Html =>
  html`<div class="qr" role="img" aria-label="${label}">${raw(renderSVG(text, { border: 1 })) as Html}</div>`
