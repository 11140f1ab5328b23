/** The languages of human-readable messages. */
export const languages = ["en", "pt-BR"] as const

/** A language of human-readable messages. */
export type Language = typeof languages[number]

const languageOf = (range: string): Language | undefined => {
  if (range === "en" || range.startsWith("en-") || range === "*") return "en"
  return range === "pt" || range.startsWith("pt-") ? "pt-BR" : undefined
}

const weightOf = (parameters: ReadonlyArray<string>): number => {
  const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => /^q=/i.test(parameter))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return weight >= 0 && weight <= 1 ? weight : 0
}

/**
 * Returns the supported language that an `Accept-Language` header prefers (RFC 9110 §12.5.4). Of languages with the
 * same weight, returns the first. Default: English.
 */
export const preferredLanguage = (header: string | undefined): Language => {
  let best: { readonly language: Language; readonly weight: number } = { language: "en", weight: 0 }
  if (header === undefined) return best.language
  for (const part of header.slice(0, 512).split(",")) {
    const [range = "", ...parameters] = part.split(";")
    const language = languageOf(range.trim().toLowerCase())
    const weight = weightOf(parameters)
    if (language !== undefined && weight > best.weight) best = { language, weight }
  }
  return best.language
}
