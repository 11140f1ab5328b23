import { layerMemory, PendingWork } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { type Caller } from "../../src/identity/Caller.ts"
import { openLastro } from "../../src/promises/openLastro.ts"

/** What succeeded. A refusal is a mistake of the test. */
export const success = async <A>(answer: Promise<Result.Result<A, unknown>>): Promise<A> =>
  Result.getOrThrow(await answer)

/** Why it was refused: the problems as `field CODE`, or the tag. */
export const refusal = async (answer: Promise<Result.Result<unknown, { readonly _tag: string }>>): Promise<string> =>
  Result.match(await answer, {
    onSuccess: () => "done",
    onFailure: (failure) =>
      "problems" in failure && Array.isArray(failure.problems)
        ? failure.problems.map(({ code, field }) => `${field} ${code}`).join(", ")
        : failure._tag
  })

/** An installation in memory, with the administrator of its root and its API client as callers. */
export const opened = async () => {
  const lastro = await openLastro(layerMemory)
  const credentials = { admin_password: "correct horse battery", client_id: "erp", client_secret: "a-secret-of-ours" }
  const installed = await success(lastro.bootstrap(credentials))
  if (installed === null) throw new Error("an empty database was not empty")
  const client: Caller = await success(lastro.callerOfClient("erp"))
  return {
    lastro,
    installed,
    client,
    finishWork: () => success(lastro.run(Effect.flatMap(PendingWork, ({ finish }) => finish)))
  }
}

/** A body that makes a partner. */
export const partnerBody = (document_number: string, name = "Loja Sé") => ({
  partner: { type: "pj", name, email: "loja@example.com", phone: "1133334444", document_number }
})
