const keys = new Set(["maxLength", "minLength", "pattern"])

/**
 * The annotations of texts that go into the description of the API: the schema of a text that is parsed says what it
 * reads by annotations instead of checks. The identity of this object is what the generator caches by.
 */
export const schemaKeys = { includeAnnotationKey: (key: string): boolean => keys.has(key) } as const
