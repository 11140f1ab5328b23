import { type RawQuery } from "@lastro/domain/input"

const none: RawQuery = Object.freeze(Object.create(null))

/** Parses the query of a URL. If a parameter is repeated, its values are a list. */
export const parseQuery = (url: string): RawQuery => {
  const start = url.indexOf("?")
  if (start < 0 || start === url.length - 1) return none
  const query: Record<string, string | Array<string>> = Object.create(null)
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const known = query[name]
    if (known === undefined) query[name] = value
    else if (Array.isArray(known)) known.push(value)
    else query[name] = [known, value]
  }
  return query
}
