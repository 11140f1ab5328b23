const keys = new Set(["maxLength", "maximum", "minLength", "minimum", "multipleOf", "pattern"])

/**
 * The annotations of texts and numbers that go into the description of the API: the schema of what is parsed says what it
 * reads by annotations instead of checks. The identity of this object is what the generator caches by.
 */
export const schemaKeys = { includeAnnotationKey: (key: string): boolean => keys.has(key) } as const
