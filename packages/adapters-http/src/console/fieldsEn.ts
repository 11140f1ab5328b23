/** The labels of the fields of a KYC, by their paths. */
export const fieldsEn = {
  labels: {
    name: "Name",
    cpf: "CPF",
    birth_date: "Birth date",
    gender: "Gender",
    civil_status: "Civil status",
    mother_name: "Mother's name",
    nationality: "Nationality",
    email: "E-mail",
    phone: "Phone with area code",
    is_pep: "Politically exposed person",
    "document.type": "Kind of document",
    "document.number": "Document number",
    "document.issuer": "Issued by",
    "document.uf": "State of issue",
    "document.issued_at": "Date of issue",
    "address.zipcode": "Postal code (CEP)",
    "address.uf": "State",
    "address.city": "City",
    "address.neighborhood": "Neighbourhood",
    "address.street": "Street",
    "address.number": "Number",
    "address.complement": "Complement",
    disbursement_method: "Payment by",
    "pix.type": "Kind of PIX key",
    "pix.key": "PIX key",
    "bank.bank_code": "Bank code",
    "bank.account_type": "Kind of account",
    "bank.agency": "Branch",
    "bank.agency_digit": "Check digit of the branch",
    "bank.account_number": "Account number",
    "bank.account_digit": "Check digit of the account",
    profession: "Profession",
    monthly_income: "Monthly income in reais",
    education: "Education",
    spouse_name: "Name of the spouse"
  },
  records: {
    description: "Note",
    documents: "Images of documents",
    strategy: "Order of the lenders",
    types: "Events",
    url: "URL"
  },
  groups: { person: "Person", document: "Identity document", address: "Address", payment: "Payment" },
  options: {
    gender: { F: "Female", M: "Male" },
    civil_status: {
      SINGLE: "Single",
      MARRIED: "Married",
      DIVORCED: "Divorced",
      SEPARATED: "Separated",
      WIDOWED: "Widowed",
      STABLE_UNION: "Stable union"
    },
    "document.type": { RG: "RG", CIN: "CIN", CNH: "CNH (driving licence)", RNE: "RNE", CRNM: "CRNM" },
    disbursement_method: { PIX: "PIX", BANK_TRANSFER: "Bank transfer" },
    "pix.type": { CPF: "CPF", CNPJ: "CNPJ", EMAIL: "E-mail", PHONE: "Phone", EVP: "Random key" },
    "bank.account_type": { CC: "Checking account", CP: "Savings account", CS: "Salary account", PG: "Payment account" },
    education: {
      NO_SCHOOLING: "No schooling",
      ELEMENTARY_INCOMPLETE: "Elementary school, not completed",
      ELEMENTARY: "Elementary school",
      HIGH_SCHOOL_INCOMPLETE: "High school, not completed",
      HIGH_SCHOOL: "High school",
      HIGHER_INCOMPLETE: "Higher education, not completed",
      HIGHER: "Higher education",
      POSTGRADUATE: "Postgraduate",
      MASTER: "Master",
      DOCTORATE: "Doctorate"
    },
    cancellation: {
      CUSTOMER_REQUEST: "The customer asked for it",
      DUPLICATE: "Opened twice",
      DATA_ERROR: "Wrong data",
      OTHER: "Other reason"
    },
    withdrawal: { CUSTOMER_REQUEST: "The customer asked for it", OTHER: "Other reason" },
    personType: { pf: "Natural person", pj: "Company" }
  }
}
