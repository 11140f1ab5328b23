/** What comes before the paths of an API that is served below this URL: empty, or with a slash before and none after it. */
export const basePathOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, "")
