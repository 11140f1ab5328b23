/** An answer of the simulator. */
export interface SimulatedAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a successful answer. */
export const answered = (body: unknown, status = 200): SimulatedAnswer => ({ status, body })

/** Makes an error in the form that most of QI Tech's pages show: as JSON within a text. */
export const refusedWith = (
  status: number,
  code: string,
  description: string,
  extra_fields: object = {}
): SimulatedAnswer => ({
  status,
  body: {
    data: JSON.stringify({ title: "Bad Request", description, translation: description, extra_fields, code })
  }
})

/** Makes an error of QI Tech's gateway, whose JSON is not within a text. */
export const refusedByGateway = (status: number, code: string, description: string): SimulatedAnswer => ({
  status,
  body: { title: "QI Unauthenticated", description, translation: description, code }
})
