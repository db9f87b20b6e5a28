import type { SimulationInput, SimulatorBuilding, SimulatorPlace, SimulatorProject } from '@voisol/contract/simulator'
import type { Coordinates } from '@voisol/energy/model/climate'
import type { ConsumptionProfile } from '@voisol/energy/model/profiles'

export type SimulationCase = { project: SimulatorProject; place: SimulatorPlace; building: SimulatorBuilding }

/** What is not said is the most usual. */
export const toSimulationCase = ({ projectType, location, typeBatiment }: SimulationInput): SimulationCase => ({
  project: projectType || 'copropriete',
  place: location || 'autre',
  building: typeBatiment || 'existant',
})

/** One place stands for its region: its largest city, and Tours for the rest of the country. */
export const SIMULATOR_PLACES: Record<SimulatorPlace, Coordinates & { label: string; city: string }> = {
  'ile-de-france': { label: 'Île-de-France', city: 'Paris', latitude: 48.86, longitude: 2.35 },
  'auvergne-rhone-alpes': { label: 'Auvergne-Rhône-Alpes', city: 'Lyon', latitude: 45.76, longitude: 4.84 },
  occitanie: { label: 'Occitanie', city: 'Toulouse', latitude: 43.6, longitude: 1.44 },
  'nouvelle-aquitaine': { label: 'Nouvelle-Aquitaine', city: 'Bordeaux', latitude: 44.84, longitude: -0.58 },
  paca: { label: 'Provence-Alpes-Côte d’Azur', city: 'Marseille', latitude: 43.3, longitude: 5.37 },
  autre: { label: 'Autre région', city: 'Tours', latitude: 47.39, longitude: 0.69 },
}
/** A plain roof: facing south, tilted as a roof of tiles usually is. */
export const STANDARD_ROOF = { azimuth: 180, tilt: 25 } as const

export const SIMULATOR_PROJECT_LABELS: Record<SimulatorProject, string> = {
  copropriete: 'Copropriété résidentielle',
  zac: 'ZAC / Éco-quartier',
  tertiaire: 'Tertiaire',
  industriel: 'Site industriel',
}
export const SIMULATOR_BUILDING_LABELS: Record<SimulatorBuilding, string> = {
  neuf: 'Neuf',
  renovation: 'Rénovation',
  existant: 'Existant',
}

/** Parts of the yearly consumption, in percent. */
export type ConsumptionMix = Partial<Record<ConsumptionProfile, number>>

/**
 * New homes heat with a heat pump and charge cars; renovated ones have partly left electric radiators; existing ones keep them.
 * Older places of work keep more running day and night, which the profile of common parts stands for.
 */
export const CONSUMPTION_MIXES: Record<SimulatorProject, Record<SimulatorBuilding, ConsumptionMix>> = {
  copropriete: {
    neuf: { 'heat-pump': 60, 'ev-household': 15, household: 10, 'common-parts': 15 },
    renovation: { household: 55, 'heat-pump': 20, 'household-electric-heating': 10, 'common-parts': 15 },
    existant: { household: 60, 'household-electric-heating': 25, 'common-parts': 15 },
  },
  zac: {
    neuf: { 'heat-pump': 40, 'ev-household': 12, office: 22, shop: 12, school: 8, 'common-parts': 6 },
    renovation: { household: 38, 'heat-pump': 14, office: 22, shop: 12, school: 8, 'common-parts': 6 },
    existant: { household: 37, 'household-electric-heating': 15, office: 20, shop: 12, school: 8, 'common-parts': 8 },
  },
  tertiaire: {
    neuf: { office: 65, shop: 32, 'common-parts': 3 },
    renovation: { office: 62, shop: 32, 'common-parts': 6 },
    existant: { office: 58, shop: 32, 'common-parts': 10 },
  },
  industriel: {
    neuf: { workshop: 82, office: 15, 'common-parts': 3 },
    renovation: { workshop: 81, office: 13, 'common-parts': 6 },
    existant: { workshop: 80, office: 10, 'common-parts': 10 },
  },
}

const PROFILE_LABELS: Partial<Record<ConsumptionProfile, string>> = {
  household: 'logements sans chauffage électrique',
  'household-electric-heating': 'logements chauffés à l’électricité',
  'heat-pump': 'logements avec pompe à chaleur',
  'ev-household': 'logements avec véhicule électrique',
  office: 'bureaux',
  shop: 'commerces',
  school: 'école',
  workshop: 'ateliers en deux équipes',
}

/** What a case is made of, the largest part first: « bureaux (58 %), … ». */
export function formatMix({ project, building }: SimulationCase): string {
  const homes = project === 'copropriete' || project === 'zac'
  const words = { ...PROFILE_LABELS, 'common-parts': homes ? 'parties communes' : 'équipements permanents' }
  return getMixEntries({ project, building })
    .sort(([, a], [, b]) => b - a)
    .map(([profile, part]) => `${words[profile] ?? profile} (${part}\u00a0%)`)
    .join(', ')
}

export const getMixEntries = ({ project, building }: Pick<SimulationCase, 'project' | 'building'>) =>
  Object.entries(CONSUMPTION_MIXES[project][building]) as [ConsumptionProfile, number][] // the keys are its own
