/** Texts of the records of commissions in Portuguese, by the English text. */
export const commissionFields: Readonly<Record<string, string>> = {}
