import { addDays } from '@voisol/energy/calendar'
import type { ConsumptionProfile } from '@voisol/energy/model/profiles'
import { createCompanyHolder } from './berges.ts'
import { combinePlannedPoints, type DemoScale, type OperationPlan, planConsumer, planProducer } from './blueprint.ts'
import { generateSiren, RHONE_SUD_ID, splitMillionths } from './identities.ts'

const CENTRE = { latitude: 45.67218, longitude: 4.85734 }
const STREET = 'rue du Port Pétrolier'
export const SILENT_METER_REF = 'rhone designers'
const [FORGE, COLD] = ['rhone roof forge', 'rhone roof cold']
const MECHANICS = 'Mécanique du Rhône'
const FREEZER = 'Froid Express Sud'

type Row = [
  ref: string,
  holder: string,
  label: string,
  number: number,
  profile: ConsumptionProfile,
  kwh: number,
  kva: number,
  weights: [number, number],
]
/** The two weights are the shares of the output of each plant, in hundredths. */
const SITES: Row[] = [
  ['rhone workshop', MECHANICS, 'Atelier d’usinage', 12, 'workshop', 640_000, 400, [44, 14]],
  ['rhone workshop offices', MECHANICS, 'Bureaux', 12, 'office', 46_000, 60, [4, 2]],
  ['rhone cold', FREEZER, 'Entrepôt frigorifique', 18, 'cold-store', 780_000, 315, [22, 58]],
  ['rhone cold offices', FREEZER, 'Quais et bureaux', 18, 'office', 52_000, 72, [4, 6]],
  ['rhone boilermaker', 'Chaudronnerie Vallet', 'Atelier', 21, 'workshop', 215_000, 200, [15, 9]],
  ['rhone packers', 'Logipack', 'Conditionnement', 24, 'workshop', 96_000, 120, [6, 5]],
  [SILENT_METER_REF, 'Bureau d’études Delta', 'Bureaux', 26, 'office', 38_000, 48, [2, 3]],
  ['rhone canteen', 'Logipack', 'Restaurant interentreprises', 24, 'restaurant', 44_000, 48, [3, 3]],
]

const buildKeyShares = () =>
  [FORGE, COLD].flatMap((producer, at) => {
    const parts = splitMillionths(SITES.map(([, , , , , , , weights]) => weights[at] ?? 0))
    return SITES.map(([ref], n) => ({ ref, producer, share: parts[n] ?? 0 }))
  })

export function buildRhoneSud({ startsOn }: DemoScale): OperationPlan {
  const site = { centre: CENTRE, metres: 420, postalCode: '69320', city: 'Feyzin', startsOn }
  const consumers = SITES.map(([ref, holder, label, number, profile, kwh, kva]) =>
    planConsumer(
      site,
      { ref, holder: createCompanyHolder(holder), label, address: `${number} ${STREET}`, kva },
      profile,
      kwh,
    ),
  )
  const roof = (ref: string, holder: string, label: string, number: number, kva: number) => ({
    ref,
    holder: createCompanyHolder(holder),
    label,
    kva,
    address: `${number} ${STREET}`,
  })
  const commissionedOn = addDays(startsOn, -75)
  const plants = [
    planProducer(site, roof(FORGE, MECHANICS, 'Toiture de l’atelier', 12, 250), {
      kwc: 250,
      azimuth: 168,
      tilt: 10,
      commissionedOn,
    }),
    planProducer(site, roof(COLD, FREEZER, 'Toiture de l’entrepôt', 18, 120), {
      kwc: 120,
      azimuth: 190,
      tilt: 8,
      commissionedOn,
    }),
  ]
  return {
    ...combinePlannedPoints([...consumers, ...plants]),
    values: {
      id: RHONE_SUD_ID,
      name: 'Site industriel Rhône-Sud',
      accNumber: 'ACC00001862',
      status: 'active',
      description:
        'Cinq entreprises voisines se partagent la production de deux toitures selon un contrat passé entre elles.',
      pmoName: 'Groupement Rhône-Sud Énergie',
      pmoSiren: generateSiren('rhone sud energie'),
      address: `12 ${STREET}`,
      postalCode: '69320',
      city: 'Feyzin',
      ...CENTRE,
      perimeter: 'extended',
      capacityWatts: 370_000,
      startsOn,
      surplusBuyer: 'EDF Obligation d’achat',
      unitPrice: 1090,
    },
    keys: [{ method: 'complete', label: 'Parts fixées par contrat', startsOn, shares: buildKeyShares() }],
  }
}
