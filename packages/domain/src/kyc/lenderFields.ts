import { Effect, Result, Schema, SchemaGetter } from "effect"
import { field } from "../input/field.ts"
import { problem } from "../input/FieldProblem.ts"
import { textSchema } from "../input/Text.ts"
import { issueOf } from "../input/textParser.ts"
import { centavosOfReais } from "../values/Centavos.ts"
import { Name } from "../values/Name.ts"
import { KycDocumentReference, maxKycDocuments } from "./KycDocumentReference.ts"

/** Level of education, from the lowest to the highest. */
export const Education = Schema.Literals([
  "NO_SCHOOLING",
  "ELEMENTARY_INCOMPLETE",
  "ELEMENTARY",
  "HIGH_SCHOOL_INCOMPLETE",
  "HIGH_SCHOOL",
  "HIGHER_INCOMPLETE",
  "HIGHER",
  "POSTGRADUATE",
  "MASTER",
  "DOCTORATE"
]).annotate({ identifier: "Education", description: "Level of education that the customer completed" })
export type Education = typeof Education.Type

/** An amount in reais, not in centavos, because nothing is computed from it. */
const Income: Schema.Codec<number, number> = Schema.Finite.annotate({ minimum: 0 }).pipe(
  Schema.decodeTo(Schema.Finite, {
    decode: SchemaGetter.transformEffect((reais: number) =>
      Effect.fromResult(
        Result.mapError(reais < 0 ? Result.fail(problem("OUT_OF_RANGE", { min: 0 })) : centavosOfReais(reais), issueOf)
      ).pipe(Effect.as(reais))
    ),
    encode: SchemaGetter.passthrough<number>()
  })
)

const ifRequired = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const onlyIfRequired = "Present only if the lender of the application requires it."

/**
 * The additional fields that a lender can require. They are absent from the KYC of an application whose lender does not
 * require them.
 */
export const lenderKycSchemas = {
  profession: field(
    ifRequired(textSchema({ min: 2, max: 100 })),
    `Profession. ${onlyIfRequired}`,
    "Professora"
  ),
  monthly_income: field(ifRequired(Income), `Monthly income in reais, at most two decimals. ${onlyIfRequired}`, 3500.5),
  education: field(ifRequired(Education), `Level of education. ${onlyIfRequired}`, "HIGH_SCHOOL"),
  spouse_name: field(
    ifRequired(Name),
    `Name of the spouse or partner. Required while \`civil_status\` is \`MARRIED\` or \`STABLE_UNION\`. ${onlyIfRequired}`,
    "Paulo Lima"
  ),
  documents: field(
    ifRequired(Schema.Array(KycDocumentReference)),
    `References to documents, at most ${maxKycDocuments}. A submitted list replaces the stored one. ${onlyIfRequired}`
  )
}
