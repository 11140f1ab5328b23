import { layerMemory, PendingWork } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { type Caller } from "../../src/access/Caller.ts"
import { openLastro } from "../../src/promises/openLastro.ts"

/** Returns the answer. Throws on a refusal. */
export const success = async <A>(answer: Promise<Result.Result<A, unknown>>): Promise<A> =>
  Result.getOrThrow(await answer)

/** Returns the problems of a refusal as `field CODE`, or its tag; `done` if there is none. */
export const refusal = async (answer: Promise<Result.Result<unknown, { readonly _tag: string }>>): Promise<string> =>
  Result.match(await answer, {
    onSuccess: () => "done",
    onFailure: (failure) =>
      "problems" in failure && Array.isArray(failure.problems)
        ? failure.problems.map(({ code, field }) => `${field} ${code}`).join(", ")
        : failure._tag
  })

/** Opens an installation in memory and returns its API client as the caller. */
export const opened = async () => {
  const lastro = await openLastro(layerMemory)
  const credentials = { admin_password: "correct horse battery", client_id: "erp", client_secret: "a-secret-of-ours" }
  const installed = await success(lastro.bootstrap(credentials))
  if (installed === null) throw new Error("the database is not empty")
  const client: Caller = await success(lastro.callerOfClient("erp"))
  return {
    lastro,
    installed,
    client,
    finishWork: () => success(lastro.run(Effect.flatMap(PendingWork, ({ finish }) => finish)))
  }
}

/** Makes a body for `createPartner`. */
export const partnerBody = (document_number: string, name = "Loja Sé") => ({
  partner: { type: "pj", name, email: "loja@example.com", phone: "1133334444", document_number }
})
