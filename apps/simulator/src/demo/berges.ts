import { addDays } from '@voisol/energy/calendar'
import type { ConsumptionProfile } from '@voisol/energy/model/profiles'
import {
  combinePlannedPoints,
  type DemoScale,
  type DemoSite,
  getDayInMonth,
  type OperationPlan,
  planConsumer,
  planProducer,
  type ScenarioMeter,
} from './blueprint.ts'
import { BERGES_ID, buildDemoEmail, createNeighbour, generateSiren, pickBetween } from './identities.ts'
import { createAccountHolder } from './tilleuls.ts'

const CENTRE = { latitude: 45.72755, longitude: 4.82905 }
/** The plant whose only inverter fails, and the one that gets dirty. */
export const BROKEN_PLANT_REF = 'berges roof halage'
export const DIRTY_PLANT_REF = 'berges roof ponton'
const CANOPY_PLANT_REF = 'berges canopy'

const buildBergesPlants = (site: DemoSite) => {
  const since = (days: number) => addDays(site.startsOn, -days)
  return [
    planProducer(
      site,
      {
        ref: 'berges roof school',
        holder: createSchoolHolder(),
        label: 'Toit de l’école',
        address: '25 rue Marie-Curie',
        kva: 100,
      },
      { kwc: 100, azimuth: 178, tilt: 12, commissionedOn: since(61) },
    ),
    planProducer(
      site,
      {
        ref: DIRTY_PLANT_REF,
        holder: createLandlordHolder(),
        label: 'Toit du Ponton',
        address: '4 rue des Mariniers',
        kva: 60,
      },
      { kwc: 60, azimuth: 195, tilt: 15, commissionedOn: since(48) },
    ),
    planProducer(
      site,
      {
        ref: BROKEN_PLANT_REF,
        holder: createCompanyHolder('Copropriété Le Halage'),
        label: 'Toit du Halage',
        address: '27 quai des Berges',
        kva: 45,
      },
      { kwc: 45, azimuth: 160, tilt: 20, commissionedOn: since(33) },
    ),
    planProducer(
      site,
      {
        ref: CANOPY_PLANT_REF,
        holder: createCompanyHolder('Parkings du Rhône'),
        label: 'Ombrière du parking relais',
        address: '50 rue Marie-Curie',
        kva: 180,
      },
      { kwc: 180, azimuth: 205, tilt: 7, losses: 0.15, commissionedOn: since(90) },
    ),
    planProducer(
      site,
      {
        ref: 'berges roof bernard',
        holder: createAccountHolder('client'),
        label: 'Toit de la maison de ville',
        address: '27 rue des Tilleuls',
        at: '8 allée du Héron',
        kva: 9,
        startsOn: since(-92),
      },
      { kwc: 9, azimuth: 184, tilt: 30, commissionedOn: since(-70) },
    ),
  ]
}

export function buildBerges(scale: DemoScale): OperationPlan {
  const { startsOn, anchor } = scale
  const site = { centre: CENTRE, metres: 720, postalCode: '69007', city: 'Lyon', startsOn }
  const social = Array.from({ length: Math.min(SOCIAL_HOMES_COUNT, countHomes(scale)) }, (_, at) =>
    getBergesHomeRef(at + 1),
  )
  return {
    ...combinePlannedPoints([...buildBergesHomes(site, scale), ...buildBergesSites(site), ...buildBergesPlants(site)]),
    values: {
      id: BERGES_ID,
      name: 'Éco-quartier des Berges',
      accNumber: 'ACC00002391',
      status: 'active',
      description:
        'Logements, commerces, école et bureaux d’un quartier neuf autour de cinq centrales, dont l’ombrière du parking relais.',
      pmoName: 'Association Les Toits Partagés',
      pmoSiren: generateSiren('toits partages'),
      address: 'place du Marché',
      postalCode: '69007',
      city: 'Lyon',
      ...CENTRE,
      perimeter: 'extended',
      capacityWatts: 394_000,
      startsOn,
      surplusBuyer: 'EDF Obligation d’achat',
      unitPrice: 1240,
    },
    keys: [
      { method: 'default', label: 'Au prorata des consommations', startsOn, shares: [] },
      {
        method: 'priority',
        label: 'École et logement social d’abord',
        startsOn: getDayInMonth(anchor, -4, 1),
        shares: [
          ...[SCHOOL_REF, NURSERY_REF].map((ref) => ({ ref, rank: 1 })),
          ...social.map((ref) => ({ ref, rank: 2 })),
        ],
      },
    ],
  }
}

type Row = [
  ref: string,
  holder: string,
  label: string,
  address: string,
  profile: ConsumptionProfile,
  kwh: number,
  kva: number,
]

const SCHOOL_REF = 'berges school'
const NURSERY_REF = 'berges nursery'
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

const createLandlordHolder = () => createCompanyHolder(LANDLORD_NAME)
const createSchoolHolder = () => {
  const { email, firstName, lastName, phone } = createAccountHolder('ecole.tilleuls')
  const name = 'Groupe scolaire des Tilleuls'
  return { kind: 'organisation' as const, name, firstName, lastName, siren: generateSiren(name), email, phone }
}

function buildBergesSites(site: DemoSite): ScenarioMeter[] {
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

const STREETS = [
  'allée des Saules',
  'rue de la Navigation',
  'quai des Berges',
  'allée des Hirondelles',
  'rue Marie-Curie',
  'place du Marché',
  'rue des Mariniers',
  'allée du Héron',
]
/** Homes of the social landlord, which the key serves first by rank. */
const SOCIAL_HOMES_COUNT = 14
const HOMES_COUNT = 93
/** A building that was handed over later. */
const LATE_BLOCK = [60, 70] as const
/** Homes that joined and left in the middle of a month. */
const ENTERING_HOME = 71
const LEAVING_HOME = 34
export const getBergesHomeRef = (n: number) => `berges home ${n}`
const countHomes = ({ whole, homes }: DemoScale) => (whole ? HOMES_COUNT : homes)

const HOME_KINDS: { profile: ConsumptionProfile; low: number; high: number; kva: number; share: number }[] = [
  { profile: 'household', low: 1700, high: 3700, kva: 6, share: 50 },
  { profile: 'household-electric-heating', low: 5200, high: 8600, kva: 9, share: 68 },
  { profile: 'heat-pump', low: 4800, high: 8200, kva: 12, share: 82 },
  { profile: 'ev-household', low: 4700, high: 7000, kva: 12, share: 93 },
]

/** Above this yearly consumption in kWh, a home has the next larger subscribed power. */
const LARGE_HOME_KWH: Partial<Record<ConsumptionProfile, number>> = {
  household: 2400,
  'household-electric-heating': 7000,
  'heat-pump': 7500,
  'ev-household': 5600,
}

/** Kinds of homes are spread over the district. */
function getHomeKind(n: number) {
  const turn = (n * 29) % HOMES_COUNT
  const kind = HOME_KINDS.find(({ share }) => turn < share) ?? HOME_KINDS[0]
  if (!kind || n <= SOCIAL_HOMES_COUNT) return { profile: 'household' as const, low: 1600, high: 3000, kva: 6 }
  return kind
}

function getHolder(n: number) {
  if (n === 15) return createAccountHolder('karim.haddad')
  const person = createNeighbour(n + 29)
  // Some people have no e-mail address.
  if (n === 52) return { ...person, email: '' }
  return n % 3 === 0
    ? { ...person, phone: `06 39 98 ${String(10 + n).slice(0, 2)} ${String(99 - n).padStart(2, '0')}` }
    : person
}

function getMembershipPeriod(n: number, anchor: string) {
  if (n === ENTERING_HOME) return { startsOn: getDayInMonth(anchor, -3, 17) }
  if (n === LEAVING_HOME) return { endsOn: getDayInMonth(anchor, -4, 11) }
  return n >= LATE_BLOCK[0] && n < LATE_BLOCK[1] ? { startsOn: getDayInMonth(anchor, -12, 1) } : {}
}

function buildBergesHomes(site: DemoSite, scale: DemoScale): ScenarioMeter[] {
  return Array.from({ length: countHomes(scale) }, (_, at) => at + 1).map((n) => {
    const { profile, low, high, kva } = getHomeKind(n)
    const yearlyKwh = pickBetween(low, high, getBergesHomeRef(n))
    const street =
      n <= SOCIAL_HOMES_COUNT ? '4 rue des Mariniers' : `${1 + ((n * 7) % 38)} ${STREETS[n % STREETS.length]}`
    const label = n <= SOCIAL_HOMES_COUNT ? `Résidence Le Ponton, logement ${n}` : `Logement ${n}`
    return planConsumer(
      site,
      {
        ref: getBergesHomeRef(n),
        holder: getHolder(n),
        label,
        address: street,
        kva: yearlyKwh > (LARGE_HOME_KWH[profile] ?? 0) ? kva + 3 : kva,
        unsigned: n === 44,
        ...getMembershipPeriod(n, scale.anchor),
      },
      profile,
      yearlyKwh,
    )
  })
}

const getContactEmail = (name: string) => buildDemoEmail('contact', name)
