import {
  type CreatePartnerResponse,
  type CreateUserResponse,
  type ListOfGroupsResponse,
  type PageInfo,
  type PartnerDetailResponse,
  type PartnersPage,
  type SortInfo,
  type TokenResponse,
  type UserDetailResponse,
  type UsersPage
} from "@lastro/domain"
import { Struct } from "effect"
import { authorizationServerMetadata } from "../authorizationServerMetadata.ts"
import { type AuthorizationServerMetadata, type HealthStatus, type JwkSet } from "../SystemApi.ts"
import { type Examples } from "./Examples.ts"
import { originationResponses } from "./originationResponses.ts"
import { everyGroup, partner, user } from "./records.ts"

const page: typeof PageInfo.Encoded = { number: 0, size: 20, total_elements: 1, total_pages: 1 }
const sort: ReadonlyArray<typeof SortInfo.Encoded> = [{ property: "created_at", direction: "desc" }]

const partnerItem = Struct.omit(partner, ["address", "bank_account", "pix"])
const userItem = Struct.omit(user, ["partners"])

const issueToken: Examples<typeof TokenResponse.Encoded> = {
  client: {
    summary: "To an API client",
    value: {
      access_token: "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl",
      token_type: "Bearer",
      expires_in: 900,
      scope: "partners:read proposals:read fgts:read fgts:write kyc:read"
    }
  },
  user: {
    summary: "To a user, with the refresh token that continues the session",
    value: {
      access_token: "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl",
      token_type: "Bearer",
      expires_in: 900,
      refresh_token: "the-refresh-token-of-this-answer",
      scope: "partners:read fgts:read"
    }
  }
}

const listPartners: Examples<typeof PartnersPage.Encoded> = {
  page: { summary: "A page", value: { content: [partnerItem], page, sort } },
  nothing: {
    summary: "Nothing matches",
    value: { content: [], page: { ...page, total_elements: 0, total_pages: 0 }, sort }
  }
}

const partnerDetail: Examples<typeof PartnerDetailResponse.Encoded> = {
  whole: { summary: "A partner, whole", value: { data: partner } },
  least: {
    summary: "A partner without PIX key, address and account",
    value: { data: { ...partner, pix: null, address: null, bank_account: null } }
  }
}

const createPartner: Examples<typeof CreatePartnerResponse.Encoded> = {
  whole: { summary: "The new partner", value: { data: partner } }
}

const listUsers: Examples<typeof UsersPage.Encoded> = {
  page: { summary: "A page", value: { content: [userItem], page, sort } },
  nothing: {
    summary: "Nothing matches",
    value: { content: [], page: { ...page, total_elements: 0, total_pages: 0 }, sort }
  }
}

const userDetail: Examples<typeof UserDetailResponse.Encoded> = {
  user: { summary: "A user", value: { data: user } }
}

const createUser: Examples<typeof CreateUserResponse.Encoded> = {
  temporary: {
    summary: "The new user, with the temporary password that is shown this once",
    value: { data: { ...user, must_change_password: true, temporary_password: "T8x-4mQz-Wb2k-Rv7p" } }
  },
  chosen: { summary: "The new user, whose password was given", value: { data: user } }
}

const listGroups: Examples<typeof ListOfGroupsResponse.Encoded> = {
  groups: { summary: "Every group", value: { data: everyGroup } }
}

const health: Examples<typeof HealthStatus.Encoded> = { ok: { summary: "It is well", value: { status: "ok" } } }

const getJwks: Examples<typeof JwkSet.Encoded> = {
  keys: {
    summary: "One live key",
    value: {
      keys: [{
        kty: "EC",
        crv: "P-256",
        x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        kid: "0197f3a2-2809-7a0b-8c1d-7e8f9a0b1c2d",
        alg: "ES256",
        use: "sig"
      }]
    }
  }
}

const getAuthorizationServerMetadata: Examples<AuthorizationServerMetadata> = {
  metadata: { summary: "The metadata", value: authorizationServerMetadata("https://api.lastro.example") }
}

/** The bodies that each operation may succeed with. */
export const responseExamples: Readonly<Record<string, Examples<unknown>>> = {
  issueToken,
  listPartners,
  createPartner,
  getPartner: partnerDetail,
  updatePartner: partnerDetail,
  listUsers,
  createUser,
  getOwnUser: userDetail,
  getUser: userDetail,
  updateUser: userDetail,
  listGroups,
  getHealthLive: health,
  getHealthReady: health,
  getJwks,
  getAuthorizationServerMetadata,
  ...originationResponses
}
