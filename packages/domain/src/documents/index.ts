export {
  Address,
  maskAddress,
  type MaskedAddress,
  maskZipcode,
  parseUf,
  parseZipcode,
  Uf,
  ufs,
  Zipcode
} from "./Address.ts"
export {
  AccountNumber,
  AccountType,
  Agency,
  BankAccount,
  BankCheckDigit,
  BankCode,
  type DictAccountType,
  dictAccountType,
  digits,
  maskAccountNumber,
  maskBankAccount,
  parseAccountNumber,
  parseAgency,
  parseBankCheckDigit,
  parseBankCode
} from "./BankAccount.ts"
export { Cnpj, completeCnpj, maskCnpj, parseCnpj } from "./Cnpj.ts"
export { completeCpf, Cpf, maskCpf, parseCpf } from "./Cpf.ts"
export { DocumentNumber, maskDocumentNumber, parseDocumentNumber, PersonType } from "./DocumentNumber.ts"
export { Email, emailKey, maskEmail, parseEmail } from "./Email.ts"
export { IpAddress, parseIpAddress } from "./IpAddress.ts"
export { Name } from "./Name.ts"
export { maskPhone, parsePhone, Phone } from "./Phone.ts"
export { maskPixKey, parsePixKey, Pix, type PixKey, PixKeyType } from "./Pix.ts"
