/** Texts of the records of the KYC and of acceptances in Portuguese, by the English text. */
export const kycFields: Readonly<Record<string, string>> = {
  "Your own fields: at most 50 keys of 1 to 40 characters without `[` and `]`, with texts of at most 500 characters. Merged key by key: `null` removes a key, and absent keys keep their values. `metadata: null` removes all keys.":
    "Seus próprios campos: no máximo 50 chaves de 1 a 40 caracteres sem `[` e `]`, com textos de no máximo 500 caracteres. Mesclados chave a chave: `null` remove uma chave, e chaves ausentes mantêm o valor. `metadata: null` remove todas.",
  "Your own fields: at most 50 keys of 1 to 40 characters without `[` and `]`, with texts of at most 500 characters. Default: none.":
    "Seus próprios campos: no máximo 50 chaves de 1 a 40 caracteres sem `[` e `]`, com textos de no máximo 500 caracteres. Padrão: nenhum.",
  "True when no required field is missing": "True quando não falta nenhum campo obrigatório",
  "Paths of the required fields that are missing, and of the fields that the lender refuses":
    "Caminhos dos campos obrigatórios que faltam e dos campos que a instituição recusa",
  "KYC status. `PREFILLED`: nothing was submitted and the values are suggestions. `LOCKED`: an offer was accepted or the application was cancelled. Only the disbursement account can then change, while `next_action` is `FIX_DISBURSEMENT`. While `next_action` is `FIX_KYC`, the KYC is not locked: the fields that the lender refuses can change.":
    "Status do cadastro (KYC). `PREFILLED`: nada foi enviado, e os valores são sugestões. `LOCKED`: uma oferta foi aceita ou a solicitação foi cancelada. Só a conta de pagamento pode então mudar, enquanto `next_action` é `FIX_DISBURSEMENT`. Enquanto `next_action` é `FIX_KYC`, o cadastro não está bloqueado: os campos que a instituição recusa podem mudar.",
  "Paths of the fields whose values are suggestions": "Caminhos dos campos cujos valores são sugestões",
  "CPF: 11 digits, check digits verified. The usual punctuation is accepted on input and dropped.":
    "CPF: 11 dígitos, com os dígitos verificadores conferidos. A pontuação usual é aceita na entrada e removida.",
  "CPF: 11 digits. It must match the application. Masked for callers without `kyc:read`.":
    "CPF: 11 dígitos. Deve ser o da solicitação. Mascarado para quem não tem `kyc:read`.",
  "Calendar day, YYYY-MM-DD": "Dia, YYYY-MM-DD",
  "Birth date, YYYY-MM-DD. It must match the application.":
    "Data de nascimento, YYYY-MM-DD. Deve ser a da solicitação.",
  "Gender": "Gênero",
  "Mother's name, 2 to 120 characters": "Nome da mãe, de 2 a 120 caracteres",
  "Nationality": "Nacionalidade",
  "Kind of document. RG and CIN: identity cards; CNH: driving licence; RNE and CRNM: foreigners' registers.":
    "Tipo do documento. RG e CIN: carteiras de identidade; CNH: carteira de motorista; RNE e CRNM: registros de estrangeiros.",
  "Number of the document": "Número do documento",
  "Issuer of the document": "Órgão emissor do documento",
  "State or Federal District, one of AC, AL, AM, AP, BA, CE, DF, ES, GO, MA, MG, MS, MT, PA, PB, PE, PI, PR, RJ, RN, RO, RR, RS, SC, SE, SP, TO. Lower case is accepted on input.":
    "Estado ou Distrito Federal, um de AC, AL, AM, AP, BA, CE, DF, ES, GO, MA, MG, MS, MT, PA, PB, PE, PI, PR, RJ, RN, RO, RR, RS, SC, SE, SP, TO. Minúsculas são aceitas na entrada.",
  "Date of issue, YYYY-MM-DD": "Data de emissão, YYYY-MM-DD",
  "Identity document": "Documento de identidade",
  "E-mail address, 3 to 254 characters. Letter case is kept, but ignored when two addresses are compared.":
    "E-mail, de 3 a 254 caracteres. Maiúsculas e minúsculas são mantidas, mas ignoradas ao comparar dois e-mails.",
  "Brazilian phone number: area code and 8 or 9 digits, without the country code. The usual punctuation and a leading +55 or 55 are accepted on input and dropped.":
    "Telefone brasileiro: DDD e 8 ou 9 dígitos, sem o código do país. A pontuação usual e +55 ou 55 no início são aceitos na entrada e removidos.",
  "True if the customer is a politically exposed person": "True se o cliente é uma pessoa exposta politicamente",
  "Kind of PIX key": "Tipo da chave Pix",
  "The key, in the format of its type": "A chave, no formato do tipo",
  "PIX key of the customer": "Chave Pix do cliente",
  "Bank account of the customer": "Conta bancária do cliente",
  "Profession. Present only if the lender of the application requires it.":
    "Profissão. Presente só se a instituição da solicitação a exige.",
  "Monthly income in reais, at most two decimals. Present only if the lender of the application requires it.":
    "Renda mensal em reais, no máximo duas casas decimais. Presente só se a instituição da solicitação a exige.",
  "Level of education. Present only if the lender of the application requires it.":
    "Escolaridade. Presente só se a instituição da solicitação a exige.",
  "Name of the spouse or partner. Required while `civil_status` is `MARRIED` or `STABLE_UNION`. Present only if the lender of the application requires it.":
    "Nome do cônjuge ou companheiro. Obrigatório enquanto `civil_status` é `MARRIED` ou `STABLE_UNION`. Presente só se a instituição da solicitação o exige.",
  "References to documents, at most 20. A submitted list replaces the stored one. Present only if the lender of the application requires it.":
    "Referências a documentos, no máximo 20. Uma lista enviada substitui a gravada. Presente só se a instituição da solicitação a exige.",
  "The path or the address of the document. It is passed to the document source of the installation.":
    "O caminho ou o endereço do documento. É repassado à fonte de documentos da instalação.",
  "SHA-256 of the content: 64 lower-case hexadecimal digits. Null: the content is not compared.":
    "SHA-256 do conteúdo: 64 dígitos hexadecimais em minúsculas. Null: o conteúdo não é conferido.",
  "Reference to a document. It never contains the document itself.":
    "Referência a um documento. Nunca contém o próprio documento.",
  "Kind of document": "Tipo do documento",
  "Level of education that the customer completed": "Escolaridade concluída pelo cliente",
  "Bank: 3 digits (COMPE) or 8 (ISPB)": "Banco: 3 dígitos (COMPE) ou 8 (ISPB)",
  "Branch: 1 to 4 digits, without its check digit": "Agência: de 1 a 4 dígitos, sem o dígito verificador",
  "Check digit: one digit or X; null if there is none": "Dígito verificador: um dígito ou X; null se não há",
  "Account: 1 to 20 digits, without its check digit": "Conta: de 1 a 20 dígitos, sem o dígito verificador",
  "Account number: 1 to 20 digits, without its check digit. Masked for callers without `kyc:read`.":
    "Número da conta: de 1 a 20 dígitos, sem o dígito verificador. Mascarado para quem não tem `kyc:read`.",
  "Check digit of the account; null if it has none. Masked for callers without `kyc:read`.":
    "Dígito verificador da conta; null se não há. Mascarado para quem não tem `kyc:read`.",
  "CEP: 8 digits. The usual punctuation is accepted on input and dropped.":
    "CEP: 8 dígitos. A pontuação usual é aceita na entrada e removida.",
  "City": "Cidade",
  "Neighborhood (bairro)": "Bairro",
  "Street": "Rua",
  "Number on the street, as text": "Número, como texto",
  "Apartment, suite or similar": "Apartamento, sala ou similar",
  "Home address of the customer": "Endereço residencial do cliente",
  "Civil status": "Estado civil",
  "M: male, F: female": "M: masculino, F: feminino",
  "All or part of the KYC data. `null` clears a field. Groups are merged field by field.":
    "Os dados do cadastro (KYC), todos ou em parte. `null` limpa um campo. Grupos são mesclados campo a campo.",
  "Reason. `CUSTOMER_REQUEST` gives the rejection code `CUSTOMER_CANCELLED`, any other reason `CANCELLED_BY_PARTNER`.":
    "Motivo. `CUSTOMER_REQUEST` gera o código de recusa `CUSTOMER_CANCELLED`; qualquer outro motivo, `CANCELLED_BY_PARTNER`.",
  "A note for the audit log. It is stored nowhere else.":
    "Uma nota para a auditoria. Não é gravada em nenhum outro lugar.",
  "Request body that cancels an application": "Corpo da requisição que cancela uma solicitação",
  "Must be true: the customer has agreed to the terms": "Deve ser true: o cliente concordou com os termos",
  "Instant, ISO 8601 with a UTC offset. Stored in UTC with milliseconds.":
    "Instante, ISO 8601 com fuso. Gravado em UTC com milissegundos.",
  "When the customer agreed, at most five minutes in the future. Default: now.":
    "Quando o cliente concordou, no máximo cinco minutos no futuro. Padrão: agora.",
  "IPv4 or IPv6 address": "Endereço IPv4 ou IPv6",
  "The customer's IP address, IPv4 or IPv6": "O endereço IP do cliente, IPv4 ou IPv6",
  "The user agent of the customer's browser": "O user agent do navegador do cliente",
  "Request body that accepts an offer": "Corpo da requisição que aceita uma oferta"
}
