/**
 * A path that an API can be found below: empty, or segments with a slash before each and none at the end. Their characters are those
 * that every client, proxy and router takes as they are.
 */
export const isBasePath = (path: string): boolean => /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*$/.test(path)

/** What such a path is made of, in words. */
export const basePathInWords = "letters, digits, - . _ ~ after each slash"
