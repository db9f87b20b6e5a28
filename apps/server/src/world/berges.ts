import { addDays } from '@voisol/energy/calendar'
import { buildBergesHomes, countHomes, getBergesHomeRef, SOCIAL_HOMES_COUNT } from './berges-homes.ts'
import {
  buildBergesSites,
  createCompanyHolder,
  createLandlordHolder,
  createSchoolHolder,
  NURSERY_REF,
  SCHOOL_REF,
} from './berges-sites.ts'
import { combinePlannedPoints, type DemoSite, type OperationPlan, planProducer } from './blueprint.ts'
import { BERGES_ID } from './ids.ts'
import { generateSiren } from './numbers.ts'
import { type DemoScale, getDayInMonth } from './scale.ts'
import { createAccountHolder } from './tilleuls.ts'

const CENTRE = { latitude: 45.72755, longitude: 4.82905 }
/** The plant whose only inverter fails, and the one that gets dirty. */
export const BROKEN_PLANT_REF = 'berges roof halage'
export const DIRTY_PLANT_REF = 'berges roof ponton'
export const CANOPY_PLANT_REF = 'berges canopy'

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
