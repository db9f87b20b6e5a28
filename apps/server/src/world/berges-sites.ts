import type { ConsumptionProfile } from '@voisol/energy/model/profiles'
import { getContactEmail } from './berges-homes.ts'
import { type DemoSite, planConsumer, type ScenarioMeter } from './blueprint.ts'
import { generateSiren } from './numbers.ts'
import { createAccountHolder } from './tilleuls.ts'

type Row = [
  ref: string,
  holder: string,
  label: string,
  address: string,
  profile: ConsumptionProfile,
  kwh: number,
  kva: number,
]

export const SCHOOL_REF = 'berges school'
export const NURSERY_REF = 'berges nursery'
const TOWN_NAME = 'Ville de Lyon, services de proximité'

const SITES: Row[] = [
  [NURSERY_REF, TOWN_NAME, 'Crèche des Mariniers', '6 rue des Mariniers', 'school', 24_000, 36],
  ['berges library', TOWN_NAME, 'Médiathèque du quai', '11 quai des Berges', 'office', 52_000, 60],
  ['berges lights', TOWN_NAME, 'Éclairage public', 'place du Marché', 'street-lighting', 26_000, 18],
  ['berges market', 'Le Panier des Berges', 'Supermarché', '2 place du Marché', 'shop', 168_000, 120],
  ['berges baker', 'Boulangerie Vasseur', 'Boulangerie', '5 place du Marché', 'bakery', 46_000, 36],
  ['berges baker 2', 'Au Levain du Quai', 'Boulangerie', '19 quai des Berges', 'bakery', 38_000, 36],
  ['berges table', 'Le Bistrot des Mariniers', 'Restaurant', '9 rue des Mariniers', 'restaurant', 41_000, 36],
  ['berges table 2', 'Chez Lila', 'Restaurant', '23 quai des Berges', 'restaurant', 33_000, 30],
  ['berges pharmacy', 'Pharmacie du Marché', 'Pharmacie', '3 place du Marché', 'shop', 19_000, 24],
  ['berges hair', 'Salon Mèche Rebelle', 'Coiffeur', '7 place du Marché', 'shop', 11_500, 18],
  ['berges books', 'Librairie L’Encre vive', 'Librairie', '8 place du Marché', 'shop', 9200, 12],
  ['berges bikes', 'Cycles du Rhône', 'Magasin de cycles', '14 rue de la Navigation', 'shop', 12_800, 18],
  ['berges laundry', 'Pressing des Saules', 'Pressing', '2 allée des Saules', 'shop', 27_000, 36],
  ['berges sport', 'Salle Vertical', 'Salle d’escalade', '31 rue Marie-Curie', 'shop', 44_000, 48],
  ['berges coop', 'Coopérative Le Hangar', 'Espace de travail partagé', '16 rue Marie-Curie', 'office', 38_000, 48],
  ['berges clinic', 'Maison de santé des Berges', 'Cabinets médicaux', '18 rue Marie-Curie', 'office', 31_000, 36],
  ['berges studio', 'Studio Confluences', 'Bureaux', '20 rue Marie-Curie', 'office', 22_000, 36],
  ['berges lab', 'Biolyse', 'Bureaux et laboratoire', '40 rue Marie-Curie', 'office', 118_000, 120],
  ['berges insurer', 'Mutuelle du Quai', 'Bureaux', '1 quai des Berges', 'office', 86_000, 96],
]

const LANDLORD_NAME = 'Habitat Rhône Solidaire'
const BLOCKS: [string, string, string, number][] = [
  ['berges common 1', LANDLORD_NAME, '4 rue des Mariniers', 9800],
  ['berges common 2', LANDLORD_NAME, '12 rue des Mariniers', 8600],
  ['berges common 3', 'Copropriété L’Écluse', '3 quai des Berges', 12_400],
  ['berges common 4', 'Copropriété Les Hirondelles', '5 allée des Hirondelles', 7600],
  ['berges common 5', 'Copropriété Le Héron', '10 allée du Héron', 8900],
  ['berges common 6', 'Copropriété Les Saules', '14 allée des Saules', 10_300],
  ['berges common 7', 'Copropriété Le Halage', '27 quai des Berges', 11_100],
]

const PHONES = 713_000
const slug = (name: string) => name.replace(/[’,]/g, ' ').trim()

export function createCompanyHolder(name: string) {
  const phone = String(PHONES + (Number(generateSiren(name).slice(3, 6)) % 900))
  return {
    kind: 'organisation' as const,
    name,
    siren: generateSiren(name),
    email: getContactEmail(slug(name)),
    phone: `04 65 ${phone.slice(0, 2)} ${phone.slice(2, 4)} ${phone.slice(4, 6)}`,
  }
}

export const createLandlordHolder = () => createCompanyHolder(LANDLORD_NAME)
export const createSchoolHolder = () => {
  const { email, firstName, lastName, phone } = createAccountHolder('ecole.tilleuls')
  const name = 'Groupe scolaire des Tilleuls'
  return { kind: 'organisation' as const, name, firstName, lastName, siren: generateSiren(name), email, phone }
}

export function buildBergesSites(site: DemoSite): ScenarioMeter[] {
  const places = SITES.map(([ref, holder, label, address, profile, kwh, kva]) =>
    planConsumer(site, { ref, holder: createCompanyHolder(holder), label, address, kva }, profile, kwh),
  )
  const stairs = BLOCKS.map(([ref, holder, address, kwh]) =>
    planConsumer(
      site,
      { ref, holder: createCompanyHolder(holder), label: 'Parties communes', address, kva: 18 },
      'common-parts',
      kwh,
    ),
  )
  const pupils = {
    ref: SCHOOL_REF,
    holder: createSchoolHolder(),
    label: 'École et gymnase',
    address: '25 rue Marie-Curie',
    kva: 120,
  }
  return [planConsumer(site, pupils, 'school', 96_000), ...places, ...stairs]
}
