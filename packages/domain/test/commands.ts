import { Effect } from "effect"
import { type Once } from "../src/idempotency/runOnce.ts"
import * as accept from "../src/origination/AcceptOffer.ts"
import * as application from "../src/origination/CreateApplication.ts"
import * as requote from "../src/origination/RequoteApplication.ts"
import * as kyc from "../src/origination/SubmitKyc.ts"
import * as partner from "../src/partner/CreatePartner.ts"
import * as user from "../src/user/CreateUser.ts"

/** Makes a command return its answer without the fact that it is a replay. */
const answerOf =
  <P extends ReadonlyArray<unknown>, A, E, R>(command: (...parameters: P) => Effect.Effect<Once<A>, E, R>) =>
  (...parameters: P): Effect.Effect<A, E, R> => Effect.map(command(...parameters), ({ answer }) => answer)

export const acceptOffer = answerOf(accept.acceptOffer)
export const createApplication = answerOf(application.createApplication)
export const createPartner = answerOf(partner.createPartner)
export const createUser = answerOf(user.createUser)
export const requoteApplication = answerOf(requote.requoteApplication)
export const submitKyc = answerOf(kyc.submitKyc)
