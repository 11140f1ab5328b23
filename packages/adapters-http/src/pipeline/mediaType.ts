/** What a `Content-Type` header says, in lower case; an absent charset is UTF-8. */
export interface MediaType {
  readonly type: string
  readonly charset: string
}

/** Reads a `Content-Type` header (RFC 9110 §8.3). */
export const mediaType = (header: string | undefined): MediaType => {
  const [type = "", ...parameters] = (header ?? "").toLowerCase().split(";").map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length) ?? "utf-8"
  return { type, charset: charset.startsWith("\"") && charset.endsWith("\"") ? charset.slice(1, -1) : charset }
}

/** Whether text in this charset is UTF-8. */
export const isUtf8 = ({ charset }: MediaType): boolean => charset === "utf-8" || charset === "utf8"
