import { Result } from "effect"
import { type Application } from "../../../src/fgts/application/Application.ts"
import { type KycValues } from "../../../src/fgts/kyc/KycValues.ts"
import { patchKyc } from "../../../src/fgts/kyc/patchKyc.ts"
import { complains } from "../../validation/problems.ts"
import { fresh, wholeKyc } from "../examples.ts"
import { today } from "./kycs.ts"

/** The example's application when so much was told of its customer. */
export const told = (kyc: KycValues | null): Application => ({ ...fresh(), kyc })

/** What is known of the customer after a body was submitted. */
export const patched = (body: unknown, stored: KycValues | null = wholeKyc): KycValues =>
  Result.getOrThrow(patchKyc(told(stored), body, today))

/** Holds what is wrong with a body that is submitted. */
export const problems = (
  body: unknown,
  expected: Parameters<typeof complains>[1],
  stored: KycValues | null = wholeKyc
): void => complains(patchKyc(told(stored), body, today), expected)
