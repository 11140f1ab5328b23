/** A family name that one in 10 000 users has. */
export const rareFamilyName = "Quaresmeira"

/** The most frequent family name. */
export const commonFamilyName = "Silva"

/** Given names, the most frequent first. */
export const givenNames =
  ("Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Francisca Daniel " +
    "Bruno Eduardo Felipe Rodrigo Antônia Adriana Juliana Márcia Fernanda Patrícia Aline Camila Jéssica " +
    "Júlia Vanessa Mariana Vera Vitória Cláudia Beatriz Luana Sônia Renata Rosângela Sebastião Raimundo André Fábio " +
    "Gustavo Tiago Márcio Vinícius Rogério Ígor Davi Cícero Otávio Inês Zélia Conceição Ângela Iracema Hermenegildo")
    .split(" ")

/** Family names, the most frequent first. */
export const familyNames =
  (`${commonFamilyName} Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins ` +
    "Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Freitas " +
    "Gonçalves Teixeira Araújo Moura Cavalcânti Monteiro Campos Correia Azevedo Conceição Farias Brandão Assunção " +
    "Nóbrega Guimarães Magalhães Simões Paixão Falcão Müller Leitão Peçanha Queirós Aragão Ximenes Yamamoto Übel Kühn")
    .split(" ")

/** Words for the line of business in company names. */
export const trades = "Crédito Promotora Financeira Soluções Parcerias Negócios Consultoria Investimentos".split(" ")

/** The address of all customers, without the house number. Most partners have the same address without the district. */
export const address = {
  zipcode: "01310100",
  uf: "SP",
  city: "São Paulo",
  neighborhood: "Bela Vista",
  street: "Avenida Paulista",
  complement: null
}
