import type { OperationStatus } from '@voisol/contract/operations'
import type { Participant } from '@voisol/contract/participants'
import { formatDwellingName } from '@voisol/contract/points'
import type { AllocationMethod } from '@voisol/contract/primitives'
import type { Tone } from '../components/badge.tsx'

type StatusLabel = { label: string; tone: Tone }

export const OPERATION_STATUS_LABELS: Record<OperationStatus, StatusLabel> = {
  draft: { label: 'Brouillon', tone: 'neutral' },
  pending: { label: 'En préparation', tone: 'info' },
  active: { label: 'En service', tone: 'success' },
  suspended: { label: 'Suspendue', tone: 'warning' },
  closed: { label: 'Clôturée', tone: 'neutral' },
}

/** The name of a method and what it means, in one sentence that needs no other word of the trade. */
export const ALLOCATION_METHOD_LABELS: Record<AllocationMethod, { label: string; meaning: string }> = {
  default: {
    label: 'Dynamique par défaut',
    meaning:
      'Chacun reçoit selon ce qu’il consomme au même moment. C’est la règle qu’Enedis applique à défaut d’une autre.',
  },
  static: {
    label: 'Statique',
    meaning: 'Une part fixe pour chacun, en pourcentage. La part qui n’est pas consommée devient du surplus.',
  },
  redistributed: {
    label: 'Statique avec redistribution',
    meaning: 'Une part fixe pour chacun\u00a0; ce qui n’est pas consommé est repartagé entre les autres.',
  },
  equal: { label: 'Parts égales', meaning: 'La même quantité pour chacun, sans dépasser ce que chacun consomme.' },
  priority: {
    label: 'Par priorité',
    meaning: 'Les premiers rangs sont servis d’abord, en entier\u00a0; les suivants se partagent le reste.',
  },
  simple: {
    label: 'Dynamique simple',
    meaning: 'Un coefficient par consommateur et par quart d’heure, calculé par vous et transmis en fichier.',
  },
  complete: {
    label: 'Dynamique complète',
    meaning: 'Un coefficient entre chaque producteur et chaque consommateur.',
  },
}

export const DIRECTION_LABELS = { consumption: 'Consommation', production: 'Production' } as const
const BATTERY_DIRECTION_LABELS = { consumption: 'Charge (batterie)', production: 'Décharge (batterie)' } as const
type MeterSide = { direction: keyof typeof DIRECTION_LABELS; storage?: boolean | undefined }
const BATTERY_COUNT_LABELS = { consumption: 'Charge', production: 'Décharge' } as const
/** What a curve or a map of one meter is of. */
export const getMeterCountLabel = ({ direction, storage }: MeterSide) =>
  (storage ? BATTERY_COUNT_LABELS : DIRECTION_LABELS)[direction]
/** What a meter counts in one direction; a battery charges and releases. */
export const getMeterSideLabel = ({ direction, storage }: MeterSide) =>
  (storage ? BATTERY_DIRECTION_LABELS : DIRECTION_LABELS)[direction]
/** As what a point comes into an operation: a battery with both its directions at once. */
export const ENTRY_LABELS = { ...DIRECTION_LABELS, battery: 'Batterie de l’opération' } as const
export const PARTICIPANT_ROLE_LABELS = {
  consumer: 'Consommateur',
  producer: 'Producteur',
  both: 'Consommateur et producteur',
  storage: 'Batterie',
} as const

export const PARTICIPANT_STATE_LABELS: Record<Participant['state'], StatusLabel> = {
  active: { label: 'Actif', tone: 'success' },
  upcoming: { label: 'À venir', tone: 'info' },
  past: { label: 'Sorti', tone: 'neutral' },
  none: { label: 'Sans participation', tone: 'neutral' },
}

export const TIME_CLASS_LABELS = {
  P: 'Pointe',
  HPH: 'Heures pleines, saison haute',
  HCH: 'Heures creuses, saison haute',
  HPB: 'Heures pleines, saison basse',
  HCB: 'Heures creuses, saison basse',
} as const

export const PERIMETER_LABELS = {
  building: 'Même bâtiment',
  extended: 'Étendu, 2\u00a0km',
  periurban: 'Dérogation périurbaine, 10\u00a0km',
  rural: 'Dérogation rurale, 20\u00a0km',
  epci: 'Dérogation publique, territoire de l’EPCI',
} as const
export const ZONE_LABELS = { metropole: 'Métropole continentale', zni: 'Zone non interconnectée' } as const

export const VAT_MODE_LABELS = {
  standard: 'TVA à 20\u00a0%',
  exempt: 'Franchise en base, art. 293 B du CGI',
  outside: 'Hors champ',
  elsewhere: 'Collectée ailleurs',
} as const

/** A record of labels as the choices of a select or of filter chips. */
export const toChoices = <K extends string>(labels: Record<K, string | { label: string }>) =>
  Object.entries<string | { label: string }>(labels).map(([value, label]) => ({
    value: value as K, // entries() forgets the key type
    label: typeof label === 'string' ? label : label.label,
  }))

/** 19125759625988 as people read it: « 19 125 759 625 988 ». */
export const formatPrm = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, '\u202f')

/** The number of a meter and what it counts, under its name. */
export const formatMeterLine = ({ prm: digits, ...side }: MeterSide & { prm: string }) =>
  `${formatPrm(digits)} · ${getMeterSideLabel(side).toLowerCase()}`
/** Meters among points: a battery is one, though it counts both ways. */
export const toMeters = <P extends MeterSide>(points: P[]) =>
  points.filter(({ storage, direction }) => !storage || direction === 'consumption')

type PointIdentity = { label: string; prm: string; participantName?: string }

/** A point as people know it: the dwelling and its holder together, else its number. A `label` of the server may be both already. */
export const formatPointName = ({ label, participantName = '', prm: digits }: PointIdentity) =>
  formatDwellingName(label, participantName) || formatPrm(digits)
