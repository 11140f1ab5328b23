import { Effect, Option } from "effect"
import { isTechnicalId, keptRequestId, parseRequestId } from "../audit/AuditLog.ts"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"

/** Returns the form in which the id of a call is kept (AUDIT-04). Null if the call has no valid id. */
export const keepRequestId = (text: string | undefined): Effect.Effect<string | null> => {
  const id = parseRequestId(text)
  if (id === undefined) return Effect.succeed(null)
  if (isTechnicalId(id)) return Effect.succeed(id)
  return Effect.flatMap(
    Effect.serviceOption(PersonalDataHasher),
    Option.match({
      // Only a facade of a part of the ports has no hasher. It stores no audit entries.
      onNone: () => Effect.succeed(null),
      onSome: ({ hash }) => Effect.map(hash(id), (hashed) => keptRequestId(id, () => hashed))
    })
  )
}
