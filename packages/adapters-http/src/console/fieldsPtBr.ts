import { type fieldsEn } from "./fieldsEn.ts"

/** The labels of the fields of a KYC in Portuguese. */
export const fieldsPtBr: typeof fieldsEn = {
  labels: {
    name: "Nome",
    cpf: "CPF",
    birth_date: "Data de nascimento",
    gender: "Sexo",
    civil_status: "Estado civil",
    mother_name: "Nome da mãe",
    nationality: "Nacionalidade",
    email: "E-mail",
    phone: "Telefone com DDD",
    is_pep: "Pessoa politicamente exposta",
    "document.type": "Tipo do documento",
    "document.number": "Número do documento",
    "document.issuer": "Órgão emissor",
    "document.uf": "UF de emissão",
    "document.issued_at": "Data de emissão",
    "address.zipcode": "CEP",
    "address.uf": "UF",
    "address.city": "Cidade",
    "address.neighborhood": "Bairro",
    "address.street": "Logradouro",
    "address.number": "Número",
    "address.complement": "Complemento",
    disbursement_method: "Forma de pagamento",
    "pix.type": "Tipo da chave Pix",
    "pix.key": "Chave Pix",
    "bank.bank_code": "Código do banco",
    "bank.account_type": "Tipo da conta",
    "bank.agency": "Agência",
    "bank.agency_digit": "Dígito da agência",
    "bank.account_number": "Número da conta",
    "bank.account_digit": "Dígito da conta",
    profession: "Profissão",
    monthly_income: "Renda mensal em reais",
    education: "Escolaridade",
    spouse_name: "Nome do cônjuge"
  },
  records: {
    description: "Observação",
    documents: "Imagens de documentos",
    strategy: "Ordem das instituições",
    types: "Eventos",
    url: "URL"
  },
  groups: { person: "Pessoa", document: "Documento de identidade", address: "Endereço", payment: "Pagamento" },
  options: {
    gender: { F: "Feminino", M: "Masculino" },
    civil_status: {
      SINGLE: "Solteiro(a)",
      MARRIED: "Casado(a)",
      DIVORCED: "Divorciado(a)",
      SEPARATED: "Separado(a)",
      WIDOWED: "Viúvo(a)",
      STABLE_UNION: "União estável"
    },
    "document.type": { RG: "RG", CIN: "CIN", CNH: "CNH", RNE: "RNE", CRNM: "CRNM" },
    disbursement_method: { PIX: "Pix", BANK_TRANSFER: "Transferência bancária" },
    "pix.type": { CPF: "CPF", CNPJ: "CNPJ", EMAIL: "E-mail", PHONE: "Telefone", EVP: "Chave aleatória" },
    "bank.account_type": {
      CC: "Conta corrente",
      CP: "Conta poupança",
      CS: "Conta salário",
      PG: "Conta de pagamento"
    },
    education: {
      NO_SCHOOLING: "Sem escolaridade",
      ELEMENTARY_INCOMPLETE: "Fundamental incompleto",
      ELEMENTARY: "Fundamental completo",
      HIGH_SCHOOL_INCOMPLETE: "Médio incompleto",
      HIGH_SCHOOL: "Médio completo",
      HIGHER_INCOMPLETE: "Superior incompleto",
      HIGHER: "Superior completo",
      POSTGRADUATE: "Pós-graduação",
      MASTER: "Mestrado",
      DOCTORATE: "Doutorado"
    },
    cancellation: {
      CUSTOMER_REQUEST: "O cliente pediu",
      DUPLICATE: "Aberta em duplicidade",
      DATA_ERROR: "Dados errados",
      OTHER: "Outro motivo"
    },
    withdrawal: { CUSTOMER_REQUEST: "O cliente pediu", OTHER: "Outro motivo" },
    personType: { pf: "Pessoa física", pj: "Pessoa jurídica" }
  }
}
