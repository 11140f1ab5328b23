// Tests letters about random applications with an arbitrary of the testkit and fast-check. The first property of a
// process builds the arbitraries. This takes seconds on a busy machine, so the timeout is longer than the default of
// vitest (5 s).
import { fgtsApplication } from "@lastro/domain/origination"
import { history } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { letter } from "../../src/letter.ts"

it("a letter ends with a full stop and contains neither CPF nor name", () => {
  fc.assert(
    fc.property(history(), ({ application }) => {
      const { cpf, name } = application.customer
      const text = letter(fgtsApplication(application, application.updated_at, "full"))
      expect(text).toMatch(/\.$/)
      expect(text).not.toContain(cpf)
      if (name !== null && name.length > 6) expect(text).not.toContain(name)
    })
  )
}, 60_000)
