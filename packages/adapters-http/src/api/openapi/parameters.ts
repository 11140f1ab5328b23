import { type JsonObject } from "./JsonObject.ts"

/** The request headers that no operation has to list in its definition, as components. */
export const parameters = {
  AcceptLanguage: {
    name: "Accept-Language",
    in: "header",
    description: "The language of the messages of errors: English, or Brazilian Portuguese where it is preferred",
    schema: { type: "string" },
    example: "pt-BR, en;q=0.8"
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "The `ETag` of the record as it is known. While the record is still in that state: 304, without a body.",
    schema: { type: "string" },
    example: "\"Yk3vT0m9QdW1bX7fRz2LhA\""
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description: "An id for the request, to find it in logs. One that does not fit is replaced.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
    example: "0197f3a2-9f50-7182-8c8e-3f4051627384"
  }
} as const satisfies Record<string, JsonObject>

/** A reference to a parameter, as an operation has it. */
export const parameter = (name: keyof typeof parameters): JsonObject => ({ $ref: `#/components/parameters/${name}` })
