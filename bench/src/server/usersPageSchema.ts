const text = { type: "string" } as const
const whole = { type: "integer" } as const

const object = <const P extends object>(properties: P) => ({ type: "object", properties }) as const

const list = <const I extends object>(items: I) => ({ type: "array", items }) as const

/** The response schema for Fastify's serializer. Its fields are in the same order as Lastro's. */
export const usersPageSchema = object({
  content: list(object({
    user_id: text,
    name: text,
    email: text,
    phone: text,
    cpf: text,
    status: text,
    group: object({ group_id: text, slug: text, label: text }),
    must_change_password: { type: "boolean" },
    created_at: { type: "string", format: "date-time" },
    partner_id: text
  })),
  page: object({ number: whole, size: whole, total_elements: whole, total_pages: whole }),
  sort: list(object({ property: text, direction: text }))
})
