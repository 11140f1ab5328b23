import { type List } from "./lists.ts"

const withoutMarks = (text: string): string => text.replace(/\p{M}/gu, "")

/** Removes differences of case and accents from a text, like the columns that Lastro searches. */
export const fold = (text: string): string =>
  withoutMarks(text.normalize("NFD")).toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ")

const like = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`
const folded = (text: string): string => like(fold(text))
const digits = (text: string): string => like(text.replace(/[./ -]/g, ""))
const same = (text: string): string => text

export const partners: List = {
  permission: "partners:read",
  table: "partner",
  owner: "id",
  counted: "partners",
  present: "item.deleted_at is null",
  columns: "item.id as partner_id, item.name, item.status, item.email, item.phone, item.document_number, " +
    "item.person_type, item.parent_id, item.created_at, item.metadata",
  sorts: {
    created_at: "created_at",
    name: "name_folded",
    document_number: "document_number",
    email: "email_folded",
    status: "status"
  },
  filters: {
    name: ["item.name_folded like VALUE", folded],
    email: ["item.email_folded like VALUE", folded],
    document_number: ["item.document_number like VALUE", digits],
    status: ["item.status = VALUE", same],
    parent_id: ["item.parent_id = VALUE", same]
  }
}

export const users: List = {
  permission: "users:read",
  table: "app_user",
  owner: "partner_id",
  counted: "users",
  present: "item.deleted_at is null",
  columns: "item.id as user_id, item.name, item.email, item.phone, item.cpf, item.status, item.group_id, " +
    "item.must_change_password, item.created_at, item.partner_id, item.metadata",
  sorts: {
    created_at: "created_at",
    name: "name_folded",
    email: "email_folded",
    phone: "phone",
    cpf: "cpf",
    status: "status",
    must_change_password: "must_change_password",
    user_id: "id",
    partner_id: "partner_id"
  },
  filters: {
    full_name: ["item.name_folded like VALUE", folded],
    email: ["item.email_folded like VALUE", folded],
    cpf: ["item.cpf like VALUE", digits],
    partner_id: ["item.partner_id = VALUE", same],
    status: ["item.status = VALUE", same]
  }
}

/** The list of proposals. Each item is stored as the text that the API returns. */
export const proposals: List = {
  permission: "proposals:read",
  table: "proposal",
  owner: "partner_id",
  counted: "proposals",
  present: "true",
  columns: "item.list_item::text as item",
  sorts: { created_at: "created_at", updated_at: "updated_at", status: "status", net_amount: "net_amount" },
  filters: {
    external_id: ["item.external_id = VALUE", same],
    status: ["item.status = VALUE", same],
    partner_id: ["item.partner_id = VALUE", same]
  }
}
