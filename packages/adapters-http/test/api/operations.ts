import { openApi, type OpenApiDocument } from "../../src/api/openapi/openApi.ts"

/** The OpenAPI document of the API. The tests share it, because its generation takes half a second. */
export const document = openApi()

/** A documented body. */
export interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>
}

interface Response {
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, Media>>
}

/** A documented parameter. */
export interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly style?: string
  readonly explode?: boolean
  readonly schema?: object
  readonly example?: unknown
}

/** A documented operation. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response>>
}

/** All operations of a document with their paths and methods. */
export const operations = (
  document: OpenApiDocument
): ReadonlyArray<{ readonly path: string; readonly method: string; readonly operation: Operation }> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation: operation as Operation }))
  )
