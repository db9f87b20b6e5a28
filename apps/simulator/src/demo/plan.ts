import { addDays } from '@voisol/energy/calendar'
import { buildBerges, createCompanyHolder } from './berges.ts'
import {
  combinePlannedPoints,
  type DemoScale,
  getDayInMonth,
  type OperationPlan,
  planBattery,
  planConsumer,
  planProducer,
} from './blueprint.ts'
import { createNeighbour, MONTPLAISIR_ID, pickBetween } from './identities.ts'
import { buildRhoneSud } from './rhone-sud.ts'
import { buildTilleuls } from './tilleuls.ts'

/** Everything in the demo except readings. */
export const buildDemoOperations = (scale: DemoScale): OperationPlan[] =>
  scale.whole
    ? [buildTilleuls(scale), buildBerges(scale), buildRhoneSud(scale), ...buildWaitingOperations(scale)]
    : [buildTilleuls(scale)]
export const buildRunningOperations = (scale: DemoScale) =>
  buildDemoOperations(scale).filter(({ values }) => values.status === 'active')

const SOUTH = { latitude: 45.74498, longitude: 4.87021 }
const HILL = { latitude: 45.80372, longitude: 4.69845 }

/** Two operations that are not running yet: one waits for its ACC number, the other is being prepared. */
const buildWaitingOperations = ({ anchor }: DemoScale): OperationPlan[] => [
  buildMontplaisir(getDayInMonth(anchor, 2, 1), addDays(anchor, -19)),
  buildVignes(getDayInMonth(anchor, 6, 1), addDays(anchor, -6)),
]

function buildMontplaisir(startsOn: string, signedOn: string): OperationPlan {
  const site = { centre: SOUTH, metres: 260, postalCode: '69008', city: 'Lyon', startsOn, signedOn }
  const homes = Array.from({ length: 9 }, (_, at) => {
    const ref = `montplaisir ${at + 1}`
    const seat = {
      ref,
      holder: createNeighbour(150 + at),
      label: `Logement ${at + 1}`,
      address: `${3 + at * 2} rue des Artisans`,
    }
    return planConsumer(site, { ...seat, kva: 6, unsigned: at > 7 }, 'household', pickBetween(1900, 3600, ref))
  })
  const market = createCompanyHolder('Halle Montplaisir')
  const roof = {
    ref: 'montplaisir roof',
    holder: market,
    label: 'Toit de la halle',
    address: '2 rue des Artisans',
    kva: 36,
  }
  return {
    ...combinePlannedPoints([
      ...homes,
      planConsumer(site, { ...roof, ref: 'montplaisir hall', label: 'Halle', kva: 36 }, 'shop', 26_000),
      planBattery(site, { ...roof, ref: 'montplaisir battery', label: 'Batterie de la halle', kva: 12 }),
      planProducer(site, roof, { kwc: 18, azimuth: 180, tilt: 15, commissionedOn: addDays(startsOn, -20) }),
    ]),
    values: {
      id: MONTPLAISIR_ID,
      name: 'Halle Montplaisir',
      accNumber: null,
      status: 'pending',
      description: 'La convention est signée\u00a0; le numéro d’opération du gestionnaire de réseau est attendu.',
      pmoName: 'Association Les Toits Partagés',
      address: '2 rue des Artisans',
      postalCode: '69008',
      city: 'Lyon',
      ...SOUTH,
      perimeter: 'extended',
      capacityWatts: 18_000,
      startsOn,
      unitPrice: 1300,
    },
    keys: [{ method: 'default', label: 'Au prorata des consommations', startsOn, shares: [] }],
  }
}

const VIGNES_ID = 'e3b7610c-58f4-4c9e-93d0-2a6c8f1b4d05'

function buildVignes(startsOn: string, signedOn: string): OperationPlan {
  const site = { centre: HILL, metres: 500, postalCode: '69290', city: 'Pollionnay', startsOn, signedOn }
  const homes = Array.from({ length: 4 }, (_, at) => {
    const ref = `vignes ${at + 1}`
    const seat = {
      ref,
      holder: createNeighbour(165 + at),
      label: `Maison ${at + 1}`,
      address: `${12 + at * 4} chemin des Vignes`,
    }
    return planConsumer(site, { ...seat, kva: 9, unsigned: at > 2 }, 'heat-pump', pickBetween(5200, 7800, ref))
  })
  return {
    ...combinePlannedPoints(homes),
    values: {
      id: VIGNES_ID,
      name: 'Hameau des Vignes',
      accNumber: null,
      status: 'draft',
      description: 'Quatre maisons et le toit d’un chai, dont le point d’injection n’est pas encore connu.',
      address: 'chemin des Vignes',
      postalCode: '69290',
      city: 'Pollionnay',
      ...HILL,
      perimeter: 'rural',
      capacityWatts: 24_000,
      startsOn,
      unitPrice: 1400,
    },
    keys: [{ method: 'equal', label: 'À parts égales', startsOn, shares: [] }],
  }
}
