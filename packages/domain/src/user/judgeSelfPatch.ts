import { Predicate, Result } from "effect"
import { type UserId } from "../id/UserId.ts"
import { PasswordChangeRequired, PermissionDenied } from "../identity/Authorization.ts"
import { type Caller, isSelf } from "../identity/Caller.ts"
import { passwordFields } from "./patchUser.ts"

/** Returns whether a patch has password fields only. */
export const isPasswordOnly = (body: unknown): boolean =>
  Predicate.isReadonlyObject(body) && Object.keys(body).every((key) => passwordFields.includes(key))

/**
 * A user may patch its own password. Other fields need `users:write`, and are refused while a password change is due.
 * @rule USER-04
 */
export const judgeSelfPatch = (
  caller: Caller,
  user: UserId,
  body: unknown
): Result.Result<void, PermissionDenied | PasswordChangeRequired> => {
  if (!isSelf(caller, user)) return Result.void
  if (caller.must_change_password && !(isPasswordOnly(body) && Object.hasOwn(Object(body), "password"))) {
    return Result.fail(new PasswordChangeRequired())
  }
  return isPasswordOnly(body) || caller.permissions.has("users:write")
    ? Result.void
    : Result.fail(new PermissionDenied())
}
