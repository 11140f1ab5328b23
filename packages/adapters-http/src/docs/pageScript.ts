/**
 * The script of the page. It signs in with one of the two grants, because the viewer offers no grant for users. It
 * lists the operations for small screens. It keeps the position in the document when the reader changes the language.
 */
export const pageScript = `"use strict"
const explorer = document.querySelector("openapi-explorer")
const form = document.getElementById("sign-in")
const output = form.querySelector("output")
const read = (id) => document.getElementById(id).value.trim()

form.addEventListener("submit", async (event) => {
  event.preventDefault()
  output.textContent = ""
  const grant_type = read("grant")
  const [name, secret] = grant_type === "password" ? ["username", "password"] : ["client_id", "client_secret"]
  try {
    const response = await fetch("api/v1/oauth/token", {
      method: "POST",
      body: new URLSearchParams({ grant_type, [name]: read("name"), [secret]: document.getElementById("secret").value })
    })
    const answer = await response.json()
    if (response.ok) await explorer.setAuthenticationConfiguration("bearer", { token: answer.access_token })
    output.textContent = response.ok ? output.dataset.done : answer.error_description
  } catch {
    output.textContent = output.dataset.failed
  }
})

const operations = document.getElementById("operations")
const routeOf = () => new URLSearchParams(location.hash.split("?")[1]).get("route")
const select = () => { operations.value = routeOf() ?? "overview" }

operations.addEventListener("change", () => { location.hash = "?route=" + operations.value })
addEventListener("hashchange", select)

// The viewer ignores a position that is selected while it loads.
explorer.addEventListener("spec-loaded", async () => {
  const route = routeOf()
  if (route) explorer.explorerLocation = route
  for (const { name, paths } of explorer.resolvedSpec.tags) {
    const group = operations.appendChild(document.createElement("optgroup"))
    group.label = name
    group.append(...paths.map(({ elementId, summary }) => new Option(summary, elementId)))
  }
  select()
  await explorer.updateComplete
  // The text scrolls, so it must be reachable by keyboard.
  explorer.shadowRoot.querySelector("main").tabIndex = 0
})

for (const link of document.querySelectorAll("a[hreflang]")) {
  link.addEventListener("click", () => { link.hash = location.hash })
}
`
