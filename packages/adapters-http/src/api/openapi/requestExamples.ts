import {
  type CreatePartnerRequest,
  type CreateUserRequest,
  type TokenRequest,
  type UpdatePartnerRequest,
  type UpdateUserRequest
} from "@lastro/domain"
import { type RevokeTokenRequest } from "../TokenApi.ts"
import { type Examples } from "./Examples.ts"
import { originationRequests } from "./originationRequests.ts"
import { partner, user } from "./records.ts"

const issueToken: Examples<typeof TokenRequest.Encoded> = {
  client: {
    summary: "An API client, by its secret",
    value: {
      grant_type: "client_credentials",
      client_id: "0197f3a2-7d3e-7f50-8a6c-1d2e3f405162",
      client_secret: "the-secret-that-was-shown-once"
    }
  },
  user: {
    summary: "A user, by password, with less than its group allows",
    value: {
      grant_type: "password",
      username: user.email,
      password: "correct horse battery staple",
      scope: "partners:read fgts:read"
    }
  },
  refresh: {
    summary: "A session that goes on",
    value: { grant_type: "refresh_token", refresh_token: "the-refresh-token-of-the-last-answer" }
  }
}

const revokeToken: Examples<typeof RevokeTokenRequest.Encoded> = {
  session: {
    summary: "End a session",
    value: { token: "the-refresh-token-of-the-last-answer", token_type_hint: "refresh_token" }
  }
}

const createPartner: Examples<typeof CreatePartnerRequest.Encoded> = {
  least: {
    summary: "Only what is required, below the caller's own partner",
    value: {
      partner: {
        type: "pf",
        name: "José Antônio Pereira",
        email: "jose@example.com",
        phone: "(11) 98765-4321",
        document_number: "529.982.247-25"
      }
    }
  },
  whole: {
    summary: "Everything, below a given partner",
    value: {
      partner: {
        type: partner.person_type,
        name: partner.name,
        email: partner.email,
        phone: partner.phone,
        document_number: partner.document_number,
        parent_uuid: "0197f3a2-4a0b-7c2d-9e3f-8a9b0c1d2e3f"
      },
      pix: partner.pix,
      address: partner.address,
      bank_account: partner.bank_account
    }
  }
}

const updatePartner: Examples<typeof UpdatePartnerRequest.Encoded> = {
  fields: {
    summary: "Change two fields",
    value: { partner: { name: "Correspondente Paulista S.A." }, address: { complement: null } }
  },
  move: {
    summary: "Move the partner and all below it",
    value: { partner: { parent_uuid: "0197f3a2-8e4f-7061-8b7d-2e3f40516273" } }
  },
  clear: {
    summary: "Clear a group, replace another",
    value: { bank_account: null, pix: { key: "+5511987654321", type: "PHONE" } }
  }
}

const createUser: Examples<typeof CreateUserRequest.Encoded> = {
  temporary: {
    summary: "With a temporary password that the answer shows once",
    value: { name: user.name, email: user.email, phone: user.phone, cpf: user.cpf, group_id: user.group.group_id }
  },
  chosen: {
    summary: "With a password, for a given partner",
    value: {
      name: user.name,
      email: user.email,
      phone: user.phone,
      cpf: user.cpf,
      group_id: user.group.group_id,
      partner_id: user.partner_id,
      password: "correct horse battery staple"
    }
  }
}

const updateUser: Examples<typeof UpdateUserRequest.Encoded> = {
  fields: { summary: "Change two fields", value: { phone: "1133334444", status: "INACTIVE" } },
  password: {
    summary: "Change one's own password",
    value: { current_password: "correct horse battery staple", password: "a longer and far better one" }
  }
}

/** The bodies that each operation may be called with. */
export const requestExamples: Readonly<Record<string, Examples<unknown>>> = {
  issueToken,
  revokeToken,
  createPartner,
  updatePartner,
  createUser,
  updateUser,
  ...originationRequests
}
