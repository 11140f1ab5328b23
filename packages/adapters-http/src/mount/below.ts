/** The rest of a URL's path, with its query, below a prefix; undefined where it is not below it. */
export const below = (prefix: string, url: string): string | undefined => {
  if (!url.startsWith(prefix)) return undefined
  const rest = url.slice(prefix.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}
