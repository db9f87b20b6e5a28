import type { SimulatorBuilding, SimulatorPlace, SimulatorProject } from '@voisol/contract/simulator'
import { parseNumber } from '../../lib/format.ts'
import type { Option } from '../../ui/select.tsx'

/** As they are typed. */
export type Typed = {
  projectType: SimulatorProject | ''
  location: SimulatorPlace | ''
  nbLogements: string
  puissanceInstallee: string
  consommationAnnuelle: string
  typeBatiment: SimulatorBuilding | ''
}
export const NOTHING: Typed = {
  projectType: '',
  location: '',
  nbLogements: '',
  puissanceInstallee: '',
  consommationAnnuelle: '',
  typeBatiment: '',
}

const list = (labels: Record<string, string>): Option[] => [
  { value: '', label: 'Non précisé' },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
]
export const PROJECTS = list({
  copropriete: 'Copropriété',
  zac: 'ZAC / Éco-quartier',
  tertiaire: 'Tertiaire',
  industriel: 'Site industriel',
} satisfies Record<SimulatorProject, string>)
export const PLACES = list({
  'ile-de-france': 'Île-de-France',
  'auvergne-rhone-alpes': 'Auvergne-Rhône-Alpes',
  occitanie: 'Occitanie',
  'nouvelle-aquitaine': 'Nouvelle-Aquitaine',
  paca: 'Provence-Alpes-Côte d’Azur',
  autre: 'Autre région',
} satisfies Record<SimulatorPlace, string>)
export const BUILDINGS = list({
  neuf: 'Neuf',
  renovation: 'Rénovation',
  existant: 'Existant',
} satisfies Record<SimulatorBuilding, string>)

export const NUMBERS = ['nbLogements', 'puissanceInstallee', 'consommationAnnuelle'] as const
const LIMITS = { nbLogements: 100_000, puissanceInstallee: 1_000_000, consommationAnnuelle: 10_000_000_000 }

/** What is wrong with a number, in a sentence; nothing is allowed, and counts as zero. */
export function faultOf(name: (typeof NUMBERS)[number], text: string): string | undefined {
  if (text.trim() === '') return undefined
  const value = parseNumber(text)
  if (value === null) return 'Nombre attendu, par exemple 1\u202f234,5.'
  if (value < 0) return 'Nombre positif attendu.'
  return value > LIMITS[name] ? 'Ce nombre est trop grand\u00a0: vérifiez l’unité.' : undefined
}

export const toInput = ({ nbLogements, puissanceInstallee, consommationAnnuelle, ...choices }: Typed) => ({
  ...choices,
  nbLogements: parseNumber(nbLogements) ?? 0,
  puissanceInstallee: parseNumber(puissanceInstallee) ?? 0,
  consommationAnnuelle: parseNumber(consommationAnnuelle) ?? 0,
})
export type Inputs = ReturnType<typeof toInput>
