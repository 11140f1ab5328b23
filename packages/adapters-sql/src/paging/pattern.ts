/** The pattern of `like` that matches a text anywhere; no character of the text is a wildcard. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`
