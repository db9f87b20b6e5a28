import { addDays } from '@voisol/energy/calendar'
import { bergesHomes, home, homesOf, SOCIAL } from './berges-homes.ts'
import { bergesSites, company, landlord, NURSERY, SCHOOL, school } from './berges-sites.ts'
import { assemble, type OperationPlan, producer, type Site } from './blueprint.ts'
import { BERGES } from './ids.ts'
import { sirenOf } from './numbers.ts'
import { dayIn, type Scale } from './scale.ts'
import { accountHolder } from './tilleuls.ts'

const CENTRE = { latitude: 45.72755, longitude: 4.82905 }
/** The plant whose only inverter breaks down, and the one that gets dirty. */
export const BROKEN = 'berges roof halage'
export const DIRTY = 'berges roof ponton'
export const CANOPY = 'berges canopy'

const plants = (site: Site) => {
  const since = (days: number) => addDays(site.startsOn, -days)
  return [
    producer(
      site,
      {
        ref: 'berges roof school',
        holder: school(),
        label: 'Toit de l’école',
        address: '25 rue Marie-Curie',
        kva: 100,
      },
      { kwc: 100, azimuth: 178, tilt: 12, commissionedOn: since(61) },
    ),
    producer(
      site,
      { ref: DIRTY, holder: landlord(), label: 'Toit du Ponton', address: '4 rue des Mariniers', kva: 60 },
      { kwc: 60, azimuth: 195, tilt: 15, commissionedOn: since(48) },
    ),
    producer(
      site,
      {
        ref: BROKEN,
        holder: company('Copropriété Le Halage'),
        label: 'Toit du Halage',
        address: '27 quai des Berges',
        kva: 45,
      },
      { kwc: 45, azimuth: 160, tilt: 20, commissionedOn: since(33) },
    ),
    producer(
      site,
      {
        ref: CANOPY,
        holder: company('Parkings du Rhône'),
        label: 'Ombrière du parking relais',
        address: '50 rue Marie-Curie',
        kva: 180,
      },
      { kwc: 180, azimuth: 205, tilt: 7, losses: 0.15, commissionedOn: since(90) },
    ),
    producer(
      site,
      {
        ref: 'berges roof bernard',
        holder: accountHolder('client'),
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

export function berges(scale: Scale): OperationPlan {
  const { startsOn, anchor } = scale
  const site = { centre: CENTRE, metres: 720, postalCode: '69007', city: 'Lyon', startsOn }
  const social = Array.from({ length: Math.min(SOCIAL, homesOf(scale)) }, (_, at) => home(at + 1))
  return {
    ...assemble([...bergesHomes(site, scale), ...bergesSites(site), ...plants(site)]),
    values: {
      id: BERGES,
      name: 'Éco-quartier des Berges',
      accNumber: 'ACC00002391',
      status: 'active',
      description:
        'Logements, commerces, école et bureaux d’un quartier neuf autour de cinq centrales, dont l’ombrière du parking relais.',
      pmoName: 'Association Les Toits Partagés',
      pmoSiren: sirenOf('toits partages'),
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
        startsOn: dayIn(anchor, -4, 1),
        shares: [...[SCHOOL, NURSERY].map((ref) => ({ ref, rank: 1 })), ...social.map((ref) => ({ ref, rank: 2 }))],
      },
    ],
  }
}
