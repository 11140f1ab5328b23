import { type FgtsKycAddress } from "@lastro/domain"
import { type Randomness } from "./Randomness.ts"

interface Place {
  readonly city: string
  readonly uf: string
  /** The area code of its phones. */
  readonly area: string
  /** The first five digits of a CEP there. */
  readonly region: string
}

const place = (text: string): Place => {
  const [city = "", uf = "", area = "", region = ""] = text.split("/")
  return { city, uf, area, region }
}

const metropolis = place("São Paulo/SP/11/01310")

/** The first ones are where more people live. */
const places: readonly [Place, ...ReadonlyArray<Place>] = [
  metropolis,
  ...("Rio de Janeiro/RJ/21/20040,Belo Horizonte/MG/31/30130,Salvador/BA/71/40020,Fortaleza/CE/85/60060,Brasília/DF/61/70040," +
    "Curitiba/PR/41/80020,Recife/PE/81/50030,Goiânia/GO/62/74003,Belém/PA/91/66010,Porto Alegre/RS/51/90010,Manaus/AM/92/69005," +
    "Campinas/SP/19/13010,São Luís/MA/98/65010,Maceió/AL/82/57020,Ribeirão Preto/SP/16/14010,João Pessoa/PB/83/58010," +
    "Cuiabá/MT/65/78005,Uberlândia/MG/34/38400,Florianópolis/SC/48/88010,Vitória/ES/27/29010,Macapá/AP/96/68900").split(
      ","
    )
    .map(place)
]

const streets = [
  "Rua das Acácias",
  "Rua Sete de Setembro",
  "Avenida Getúlio Vargas",
  "Rua São João",
  "Travessa da Conceição",
  "Avenida Brasil",
  "Rua José Bonifácio",
  "Praça da Sé",
  "Rua Marechal Deodoro",
  "Avenida Presidente Vargas"
] as const

const neighborhoods = ["Centro", "Jardim América", "Vila Conceição", "Boa Vista", "Santo Antônio", "São José"] as const

const somewhere = (random: Randomness): Place => random.chance(0.2) ? metropolis : random.oneOf(places)

const digits = (random: Randomness, count: number): string => String(random.below(10 ** count)).padStart(count, "0")

/** A mobile number. */
export const phoneOf = (random: Randomness): string => `${somewhere(random).area}9${digits(random, 8)}`

/** Where somebody lives: the CEP lies in the city. */
export const addressOf = (random: Randomness) => {
  const { city, region, uf } = somewhere(random)
  return {
    zipcode: `${region}${digits(random, 3)}`,
    uf,
    city,
    neighborhood: random.oneOf(neighborhoods),
    street: random.oneOf(streets),
    number: random.chance(0.05) ? "S/N" : String(1 + random.below(3_000)),
    complement: random.chance(0.3) ? `Apto ${1 + random.below(200)}` : null
  } as FgtsKycAddress
}
