/** Named examples of one body, as OpenAPI has them. */
export type Examples<A> = Readonly<Record<string, { readonly summary: string; readonly value: A }>>
