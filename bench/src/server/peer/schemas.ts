const text = { type: "string" } as const
const optional = { type: ["string", "null"] } as const
const whole = { type: "integer" } as const
const flag = { type: "boolean" } as const

const object = <const P extends object>(properties: P) => ({ type: "object", properties }) as const
const nullable = <const P extends object>(properties: P) => ({ type: ["object", "null"], properties }) as const
const list = <const I extends object>(items: I) => ({ type: "array", items }) as const

const page = object({ number: whole, size: whole, total_elements: whole, total_pages: whole })
const sort = list(object({ property: text, direction: text }))

const pix = nullable({ key: text, type: text })

const address = nullable({
  zipcode: text,
  uf: text,
  city: text,
  district: optional,
  neighborhood: text,
  street: text,
  number: text,
  complement: optional
})

const bankAccount = nullable({
  type: text,
  agency: text,
  bank_code: text,
  agency_digit: optional,
  account_number: text,
  account_digit: optional
})

const metadata = { type: "object", additionalProperties: true } as const

// The schemas of responses. The serializers write the fields in the order of the schemas.

/** A partner. */
export const partnerSchema = object({
  data: object({
    partner_id: text,
    name: text,
    status: text,
    email: text,
    phone: text,
    pix,
    address,
    document_number: text,
    person_type: text,
    created_at: text,
    parent_id: optional,
    bank_account: bankAccount,
    metadata
  })
})

/** A page of partners. */
export const partnersPageSchema = object({
  content: list(object({
    partner_id: text,
    name: text,
    status: text,
    email: text,
    phone: text,
    document_number: text,
    person_type: text,
    parent_id: optional,
    created_at: text,
    metadata
  })),
  page,
  sort
})

/** A page of users. */
export const usersPageSchema = object({
  content: list(object({
    user_id: text,
    name: text,
    email: text,
    phone: text,
    cpf: text,
    status: text,
    group: object({ group_id: text, slug: text, label: text }),
    must_change_password: flag,
    created_at: text,
    partner_id: text,
    metadata
  })),
  page,
  sort
})

/** The status of an application. */
export const statusSchema = object({
  application_id: text,
  status: text,
  quote_status: text,
  kyc_complete: flag,
  next_action: text,
  version: whole,
  updated_at: text
})

/** The health of the server. */
export const healthSchema = object({ status: text })
