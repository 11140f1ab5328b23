import { type Randomness } from "./Randomness.ts"

const given =
  "Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Francisca Daniel Marcelo " +
  "Bruno Eduardo Felipe Rodrigo Antônia Adriana Juliana Márcia Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica " +
  "Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana Sônia Renata Eliane " +
  "Josefa Simone Natália Cristiane Carla Débora Rosângela Jaqueline Rosa Daniela Aparecida Marlene Terezinha Raimunda " +
  "Sebastião Raimundo André Fernando Fábio Leonardo Gustavo Guilherme Leandro Tiago Anderson Ricardo Márcio Jorge Alexandre " +
  "Roberto Edson Diego Vítor Sérgio Cláudio Matheus Thiago Geraldo Adriano Luciano Júlio Renato Alex Vinícius Rogério " +
  "Samuel Ronaldo Mário Flávio Douglas Ígor Davi Manoel Jeferson Cícero Otávio Caio Inês Zélia Conceição Ângela Luíza Iracema " +
  "Benedito Anísio Zoraide Ubirajara Jussara Amâncio Eustáquio Péricles Hermenegildo Zulmira Ataíde Clotilde Filomena"

const family =
  "Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares " +
  "Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos " +
  "Gonçalves Santana Teixeira Araújo Pinto Moura Cavalcânti Monteiro Batista Campos Melo Correia Castro Azevedo Duarte " +
  "Conceição Reis Farias Cruz Miranda Brandão Assunção Nóbrega Façanha Guimarães Magalhães Simões Antunes Paixão Falcão " +
  "Sampaio Figueiredo Bittencourt Müller Schneider Tavares Coutinho Leitão Peçanha Xavier Queirós Aragão Drummond Ximenes " +
  "Yamamoto Nakamura Wanderley Zanetti Übel Kühn Vasconcelos Evangelista Albuquerque Mascarenhas Cabeçudo Zoppelari"

/** A family name that one person in 10 000 bears. */
export const rareFamilyName = "Quaresmeira"

/** A family name that many bear. */
export const commonFamilyName = "Silva"

const trade =
  "Crédito Promotora Correspondente Financeira Soluções Parcerias Negócios Consultoria Investimentos Representações"
const place =
  "Paulista,São Paulo,Santos,Recife Antigo,Fortaleza,Goiânia,Maceió,São Luís,Belém,Cuiabá,Brasília,Vitória,Niterói,Florianópolis," +
  "Ribeirão Preto,Uberlândia,Juiz de Fora,Caruaru,Feira de Santana,Maringá,Chapecó,Macapá,João Pessoa,Jundiaí,Ilhéus"

const givenNames = given.split(" ")
const familyNames = family.split(" ")
const trades = trade.split(" ")
const places = place.split(",")

/** One of `all`, the earlier ones more often: the rank follows Zipf's law, so that some names are common and some rare. */
const ranked = (all: ReadonlyArray<string>, random: Randomness): string =>
  all[Math.min(all.length - 1, Math.floor(all.length ** random.fraction() - 1 + random.fraction()))] ?? ""

const oneOf = (all: ReadonlyArray<string>, random: Randomness): string => all[random.below(all.length)] ?? ""

/** A person: one or two given names, one to three family names, with a particle now and then. */
export const personName = (random: Randomness): string => {
  const names = [ranked(givenNames, random)]
  if (random.chance(0.35)) names.push(ranked(givenNames, random))
  const families = 1 + Number(random.chance(0.7)) + Number(random.chance(0.2))
  if (random.chance(0.0001)) names.push(rareFamilyName)
  for (let count = 0; count < families; count++) {
    const one = ranked(familyNames, random)
    if (random.chance(0.2)) names.push(one.endsWith("s") ? "dos" : random.oneOf(["da", "de"]))
    names.push(one)
  }
  return names.join(" ")
}

/** A company: whose it is or where it is, and what it does. */
export const companyName = (random: Randomness): string => {
  const whose = random.chance(0.5) ? ranked(familyNames, random) : oneOf(places, random)
  return `${whose} ${oneOf(trades, random)}${random.chance(0.6) ? " Ltda" : ""}`
}
