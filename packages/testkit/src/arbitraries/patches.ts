import { type PartnerDetail } from "@lastro/domain/partner"
import { type UserDetail, UserStatus } from "@lastro/domain/user"
import { maxMetadataKeys, type Metadata, PersonType } from "@lastro/domain/values"
import { Equal } from "effect"
import * as fc from "fast-check"
import { address, bankAccount, cnpj, cpf, email, personName, phone, pix } from "./documents.ts"
import { metadata, partnerId } from "./partners.ts"
import { groupId } from "./users.ts"

/**
 * The effect of a patch on a field or a group of fields.
 *
 * - `absent`: does not contain the field.
 * - `null`: sets the field to null.
 * - `same`: repeats the stored value.
 * - `other`: sets another valid value.
 * - `wrong`: sets a value of the wrong type.
 * - `fields`: only for a group. Each of its fields has an intent of its own.
 */
export type PatchIntent = "absent" | "null" | "same" | "other" | "wrong" | "fields"

/**
 * A merge patch (RFC 7396), and its intent for each field and field group by path (`name`, `address`, `address.uf`).
 */
export interface PatchExample {
  readonly body: Readonly<Record<string, unknown>>
  readonly intents: Readonly<Record<string, PatchIntent>>
}

interface Part {
  readonly value?: unknown
  readonly intents: Readonly<Record<string, PatchIntent>>
}

const wrongTexts = [0, 7, true, [], {}, ["text"], { text: "text" }]
const wrongGroups = [0, true, "", "text", [], [{}]]

const part = (path: string, intent: PatchIntent, value?: unknown): Part =>
  intent === "absent" ? { intents: { [path]: intent } } : { value, intents: { [path]: intent } }

/** A patch of a whole value, with every intent except `fields`. */
const whole = (
  path: string,
  stored: unknown,
  other: fc.Arbitrary<unknown>,
  wrong: ReadonlyArray<unknown>
): fc.Arbitrary<Part> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(part(path, "absent")) },
    { weight: 3, arbitrary: fc.constant(part(path, "same", stored)) },
    {
      weight: 3,
      arbitrary: other.map((value) => part(path, Equal.equals(value, stored) ? "same" : "other", value))
    },
    { weight: 1, arbitrary: fc.constant(part(path, stored === null ? "same" : "null", null)) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong).map((value) => part(path, "wrong", value)) }
  )

const text = (path: string, stored: unknown, other: fc.Arbitrary<unknown>): fc.Arbitrary<Part> =>
  whole(path, stored, other, wrongTexts)

/** Combines patches of single fields into one patch. */
const combine = (parts: Readonly<Record<string, fc.Arbitrary<Part>>>): fc.Arbitrary<PatchExample> =>
  fc.record(parts).map((drawn) => ({
    body: Object.fromEntries(
      Object.entries(drawn).filter(([, part]) => "value" in part).map(([name, { value }]) => [name, value])
    ),
    intents: Object.assign({}, ...Object.values(drawn).map(({ intents }) => intents))
  }))

const fieldsOf = (group: string, fields: Readonly<Record<string, fc.Arbitrary<Part>>>): fc.Arbitrary<Part> =>
  combine(fields).map(({ body, intents }) => ({ value: body, intents: { [group]: "fields", ...intents } }))

/** A patch of a group that can be null: as a whole or, if a value is stored, field by field. */
const clearable = <G extends object>(path: string, stored: G | null, other: fc.Arbitrary<G>): fc.Arbitrary<Part> => {
  const asWhole = whole(path, stored, other, wrongGroups)
  if (stored === null) return asWhole
  const fields = Object.entries(stored).map(([name, value]) => {
    const otherValue = other.map((group) => new Map(Object.entries(group)).get(name))
    return [name, text(`${path}.${name}`, value, otherValue)] as const
  })
  return fc.oneof(asWhole, fieldsOf(path, Object.fromEntries(fields)))
}

/** Returns whether a patch changes the stored metadata when it is merged. */
const changesMetadata = (stored: Metadata, patch: Readonly<Record<string, string | null>>): boolean =>
  Object.entries(patch).some(([key, value]) => (Object.hasOwn(stored, key) ? stored[key] : null) !== value)

/** A patch of metadata: absent, the stored metadata, some keys to set, repeat or remove, null, or an invalid value. */
const metadataPart = (stored: Metadata): fc.Arbitrary<Part> => {
  const path = "metadata"
  const entries = Object.entries(stored)
  const freeKeys = Math.max(0, maxMetadataKeys - entries.length)
  const merged = fc.tuple(metadata, fc.subarray(entries), fc.subarray(Object.keys(stored))).map(
    ([added, repeated, removed]) => {
      const value = Object.fromEntries([
        ...Object.entries(added).slice(0, freeKeys),
        ...repeated,
        ...removed.map((key) => [key, null] as const)
      ])
      return part(path, changesMetadata(stored, value) ? "other" : "same", value)
    }
  )
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(part(path, "absent")) },
    { weight: 2, arbitrary: fc.constant(part(path, "same", stored)) },
    { weight: 4, arbitrary: merged },
    { weight: 1, arbitrary: fc.constant(part(path, entries.length === 0 ? "same" : "null", null)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(0, true, "", "text", [], { plan: 1 }, { "": "" }).map((wrong) =>
        part(path, "wrong", wrong)
      )
    }
  )
}

/** Patches of a partner, with every intent for every field and field group. */
export const partnerPatch = (stored: PartnerDetail): fc.Arbitrary<PatchExample> =>
  combine({
    partner: fc.oneof(
      { weight: 1, arbitrary: fc.constant(part("partner", "absent")) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(null, ...wrongGroups).map((value) =>
          part("partner", value === null ? "null" : "wrong", value)
        )
      },
      {
        weight: 8,
        arbitrary: fieldsOf("partner", {
          type: text("partner.type", stored.person_type, fc.constantFrom(...PersonType.literals)),
          name: text("partner.name", stored.name, personName),
          email: text("partner.email", stored.email, email),
          phone: text("partner.phone", stored.phone, phone),
          document_number: text("partner.document_number", stored.document_number, fc.oneof(cpf, cnpj)),
          parent_uuid: text("partner.parent_uuid", stored.parent_id, partnerId)
        })
      }
    ),
    // The format of a PIX key depends on its type, so a patch contains both.
    pix: whole("pix", stored.pix, pix, wrongGroups),
    address: clearable("address", stored.address, address),
    bank_account: clearable("bank_account", stored.bank_account, bankAccount),
    metadata: metadataPart(stored.metadata)
  })

/** Patches of a user except the password, with every intent for every field. */
export const userPatch = (stored: UserDetail): fc.Arbitrary<PatchExample> =>
  combine({
    name: text("name", stored.name, personName),
    email: text("email", stored.email, email),
    phone: text("phone", stored.phone, phone),
    cpf: text("cpf", stored.cpf, cpf),
    status: text("status", stored.status, fc.constantFrom(...UserStatus.literals)),
    group_id: text("group_id", stored.group.group_id, groupId),
    partner_id: text("partner_id", stored.partner_id, partnerId),
    metadata: metadataPart(stored.metadata)
  })
