import { foldText } from "@lastro/domain/paging"
import { type Randomness, randomness } from "./Randomness.ts"

const givenNames =
  ("Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Francisca Daniel Marcelo " +
    "Bruno Eduardo Felipe Rodrigo Antônia Adriana Juliana Márcia Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica " +
    "Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana Sônia Renata Rosângela " +
    "Sebastião Raimundo André Fernando Fábio Leonardo Gustavo Guilherme Tiago Ricardo Márcio Jorge Vinícius Rogério Mário " +
    "Flávio Ígor Davi Cícero Otávio Caio Inês Zélia Conceição Ângela Luíza Iracema Benedito Zoraide Ubirajara Hermenegildo")
    .split(" ")

const familyNames =
  ("Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares " +
    "Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos " +
    "Gonçalves Santana Teixeira Araújo Pinto Moura Cavalcânti Monteiro Batista Campos Melo Correia Castro Azevedo Duarte " +
    "Conceição Reis Farias Brandão Assunção Nóbrega Façanha Guimarães Magalhães Simões Paixão Falcão Figueiredo Müller " +
    "Schneider Leitão Peçanha Xavier Queirós Aragão Ximenes Yamamoto Wanderley Übel Kühn Vasconcelos Albuquerque Zoppelari")
    .split(" ")

const trades =
  "Crédito Promotora Correspondente Financeira Soluções Parcerias Negócios Consultoria Investimentos Representações"
    .split(" ")

/** Postal addresses. */
export const addresses = [
  ["01310100", "SP", "São Paulo", "Bela Vista", "Avenida Paulista"],
  ["20040002", "RJ", "Rio de Janeiro", "Centro", "Avenida Rio Branco"],
  ["30130010", "MG", "Belo Horizonte", "Centro", "Avenida Afonso Pena"],
  ["40020000", "BA", "Salvador", "Pelourinho", "Rua da Conceição"],
  ["60060000", "CE", "Fortaleza", "José Bonifácio", "Avenida Getúlio Vargas"],
  ["69900000", "AC", "Rio Branco", "Boa Vista", "Rua São João"]
].map(([zipcode, uf, city, neighborhood, street]) => ({
  zipcode,
  uf,
  city,
  neighborhood,
  street,
  number: "100",
  complement: null
}))

/** Area codes of phones. */
export const areaCodes = ["11", "11", "21", "31", "71", "85", "62", "92"] as const

/** A family name that one person in 10 000 has. */
export const rareFamilyName = "Quaresmeira"

/** The most frequent family name. */
export const commonFamilyName = "Silva"

/** How many texts of each kind there are. A person's name is one of "given" and one of "family". */
export const poolSize = 1_000

const zipf = (texts: ReadonlyArray<string>, random: Randomness): string =>
  texts[Math.floor(texts.length ** random.fraction() - 1 + random.fraction())] ?? ""

const makers = {
  given: (random: Randomness) =>
    random.chance(0.35) ? [zipf(givenNames, random), zipf(givenNames, random)].join(" ") : zipf(givenNames, random),
  family: (random: Randomness) => {
    const one = () => `${random.chance(0.15) ? "de " : ""}${zipf(familyNames, random)}`
    return random.chance(0.7) ? `${one()} ${one()}` : one()
  },
  company: (random: Randomness) =>
    `${zipf(familyNames, random)} ${trades[random.below(trades.length)]}${random.chance(0.6) ? " Ltda" : ""}`
}

/** Names from which SQL draws: as written, folded, and the last word for e-mail addresses. */
export const namePool = (seed: number) =>
  Object.entries(makers).flatMap(([kind, make]) => {
    const random = randomness(seed, kind)
    return Array.from({ length: poolSize }, (_, place) => {
      const name = make(random)
      return { kind, place, name, folded: foldText(name), word: foldText(name).split(" ").at(-1) }
    })
  })
