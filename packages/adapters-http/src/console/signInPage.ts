import { type Html, html, nothing } from "./html.ts"
import { type View } from "./layout.ts"
import { type Words } from "./wordsEn.ts"

/** The content of the sign-in page. */
interface SignIn {
  readonly words: Words
  /** The token of the form. */
  readonly form: string
  /** Why the last attempt was rejected. */
  readonly problem: string | undefined
  /** The e-mail of the last attempt. */
  readonly email: string
  /** The page to open after the sign-in. */
  readonly back: string
  /** What just happened, such as a sign-out. */
  readonly notice: string | undefined
}

const input = (name: "email" | "password", label: string, value = ""): Html =>
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${name}" value="${value}" required autocomplete="${
    name === "email" ? "username" : "current-password"
  }"></div>`

const messageHtml = ({ notice, problem }: SignIn): Html => {
  if (problem !== undefined) return html`<div class="message bad" role="alert">${problem}</div>`
  return notice === undefined ? nothing : html`<div class="message good" role="status">${notice}</div>`
}

export const signInView = (signIn: SignIn): View => {
  const { back, email, form, words } = signIn
  const hidden =
    html`<input type="hidden" name="form" value="${form}"><input type="hidden" name="back" value="${back}">`
  const fields = html`${input("email", words.email, email)}${input("password", words.password)}`
  return {
    title: words.signIn,
    body: html`<div class="card narrow"><p class="soft">${words.signInText}</p>${
      messageHtml(signIn)
    }<form method="post">${hidden}${fields}<button>${words.signIn}</button></form></div>`
  }
}
