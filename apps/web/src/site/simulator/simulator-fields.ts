import type { SimulatorBuilding, SimulatorPlace, SimulatorProject } from '@voisol/contract/simulator'
import type { Option } from '../../components/input.tsx'
import { parseNumber } from '../../lib/format.ts'

/** As they are typed. */
export type SimulatorFormValues = {
  projectType: SimulatorProject | ''
  location: SimulatorPlace | ''
  nbLogements: string
  puissanceInstallee: string
  consommationAnnuelle: string
  typeBatiment: SimulatorBuilding | ''
}
export const EMPTY_VALUES: SimulatorFormValues = {
  projectType: '',
  location: '',
  nbLogements: '',
  puissanceInstallee: '',
  consommationAnnuelle: '',
  typeBatiment: '',
}

const toOptions = (labels: Record<string, string>): Option[] => [
  { value: '', label: 'Non précisé' },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
]
export const PROJECT_OPTIONS = toOptions({
  copropriete: 'Copropriété',
  zac: 'ZAC / Éco-quartier',
  tertiaire: 'Tertiaire',
  industriel: 'Site industriel',
} satisfies Record<SimulatorProject, string>)
export const PLACE_OPTIONS = toOptions({
  'ile-de-france': 'Île-de-France',
  'auvergne-rhone-alpes': 'Auvergne-Rhône-Alpes',
  occitanie: 'Occitanie',
  'nouvelle-aquitaine': 'Nouvelle-Aquitaine',
  paca: 'Provence-Alpes-Côte d’Azur',
  autre: 'Autre région',
} satisfies Record<SimulatorPlace, string>)
export const BUILDING_OPTIONS = toOptions({
  neuf: 'Neuf',
  renovation: 'Rénovation',
  existant: 'Existant',
} satisfies Record<SimulatorBuilding, string>)

export const NUMBER_FIELDS = ['nbLogements', 'puissanceInstallee', 'consommationAnnuelle'] as const
const MAX_FIELD_VALUES = { nbLogements: 100_000, puissanceInstallee: 1_000_000, consommationAnnuelle: 10_000_000_000 }

/** What is wrong with a number, in a sentence; nothing is allowed, and counts as zero. */
export function getNumberError(name: (typeof NUMBER_FIELDS)[number], text: string): string | undefined {
  if (text.trim() === '') return undefined
  const value = parseNumber(text)
  if (value === null) return 'Nombre attendu, par exemple 1\u202f234,5.'
  if (value < 0) return 'Nombre positif attendu.'
  return value > MAX_FIELD_VALUES[name] ? 'Ce nombre est trop grand\u00a0: vérifiez l’unité.' : undefined
}

export const toSimulatorInputs = ({
  nbLogements,
  puissanceInstallee,
  consommationAnnuelle,
  ...choices
}: SimulatorFormValues) => ({
  ...choices,
  nbLogements: parseNumber(nbLogements) ?? 0,
  puissanceInstallee: parseNumber(puissanceInstallee) ?? 0,
  consommationAnnuelle: parseNumber(consommationAnnuelle) ?? 0,
})
export type SimulatorInputs = ReturnType<typeof toSimulatorInputs>
