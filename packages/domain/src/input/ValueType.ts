import { SchemaAST } from "effect"
import { type Problem, problem } from "./FieldProblem.ts"

/** The name of a required type, as messages show it. */
export type ValueType = "boolean" | "integer" | "list" | "number" | "object" | "text"

/** The problem of a value of a wrong type. It names the required type, and never the value. */
export const invalidType = (expected: ValueType): Problem => problem("INVALID_TYPE", { expected })

/** The types of literals, by their `typeof`. */
const literalTypes: Readonly<Record<string, ValueType>> = { boolean: "boolean", number: "number", string: "text" }

const typesOf = (ast: SchemaAST.AST): ReadonlyArray<ValueType> => {
  switch (ast._tag) {
    case "String":
      return ["text"]
    case "Number":
      return [SchemaAST.resolve(ast)?.["multipleOf"] === 1 ? "integer" : "number"]
    case "Boolean":
      return ["boolean"]
    case "Literal": {
      const type = literalTypes[typeof ast.literal]
      return type === undefined ? [] : [type]
    }
    case "Arrays":
      return ["list"]
    case "Objects":
      return ["object"]
    case "Union":
      return ast.types.flatMap(typesOf)
    default:
      return []
  }
}

/** Returns the type that a schema requires of its input, besides null. Undefined if it allows several types. */
export const requiredType = (ast: SchemaAST.AST): ValueType | undefined => {
  const [type, ...others] = new Set(typesOf(SchemaAST.toEncoded(ast)))
  return others.length === 0 ? type : undefined
}
