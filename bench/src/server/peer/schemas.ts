/** The schema of a text field, and of any field without a schema of its own. */
const text = { type: "string" } as const
const whole = { type: "integer" } as const
const object = (properties: object) => ({ type: "object", properties }) as const
const nullable = (properties: object) => ({ type: ["object", "null"], properties }) as const
const list = (properties: object) => ({ type: "array", items: object(properties) }) as const

/** Returns the schemas of text fields, whose names are separated by spaces. A field with `?` may be null. */
const texts = (names: string) =>
  Object.fromEntries(
    names.split(" ").map((name) =>
      name.endsWith("?") ? [name.slice(0, -1), { type: ["string", "null"] }] : [name, text]
    )
  )

const metadata = { type: "object", additionalProperties: true } as const

const pageOf = (item: object) =>
  object({
    content: list(item),
    page: object({ number: whole, size: whole, total_elements: whole, total_pages: whole }),
    sort: list(texts("property direction"))
  })

// The schemas of responses. The serializers write the fields in the order of the schemas.

export const partnerSchema = object({
  data: object({
    ...texts("partner_id name status email phone"),
    pix: nullable(texts("key type")),
    address: nullable(texts("zipcode uf city district? neighborhood street number complement?")),
    ...texts("document_number person_type created_at parent_id?"),
    bank_account: nullable(texts("type agency bank_code agency_digit? account_number account_digit?")),
    metadata
  })
})

export const partnersPageSchema = pageOf({
  ...texts("partner_id name status email phone document_number person_type parent_id? created_at"),
  metadata
})

export const usersPageSchema = pageOf({
  ...texts("user_id name email phone cpf status"),
  group: object(texts("group_id slug label")),
  must_change_password: { type: "boolean" },
  ...texts("created_at partner_id"),
  metadata
})

export const statusSchema = object({
  ...texts("application_id status quote_status"),
  kyc_complete: { type: "boolean" },
  next_action: text,
  ...texts("retry_at? proposal_id? signature_url?"),
  version: whole,
  updated_at: text
})

export const healthSchema = object(texts("status"))
