import type { CurveImport, DayVersion } from '@voisol/contract/curves'
import { addDays } from '@voisol/energy/calendar'
import type { z } from 'zod'
import type { Tone } from '../../../components/badge.tsx'
import type { MatrixRow } from '../../../components/matrix/matrix.tsx'
import { formatDate, formatDateTime } from '../../../lib/format.ts'

export type DetectedFormat = NonNullable<CurveImport['detected']>
export type CurveImportChoices = CurveImport['choices']
export type ImportSeries = CurveImport['series'][number]
export type ImportProblem = CurveImport['problems'][number]
export type CurveVersion = z.infer<typeof DayVersion>

export const IMPORT_STATUS_BADGES: Record<CurveImport['status'], { label: string; tone: Tone }> = {
  reading: { label: 'Lecture en cours', tone: 'info' },
  ready: { label: 'À vérifier', tone: 'warning' },
  storing: { label: 'Enregistrement en cours', tone: 'info' },
  done: { label: 'Enregistré', tone: 'success' },
  refused: { label: 'Refusé', tone: 'danger' },
  abandoned: { label: 'Abandonné', tone: 'neutral' },
}

export const CURVE_SOURCE_LABELS: Record<CurveVersion['source'], string> = {
  import: 'Fichier importé',
  enedis: 'Enedis',
  api: 'Interface de programmation',
  model: 'Modèle',
  estimate: 'Estimation',
}

export const UNIT_LABELS: Record<DetectedFormat['unit'], string> = {
  W: 'Puissance en W',
  kW: 'Puissance en kW',
  Wh: 'Énergie en Wh',
  kWh: 'Énergie en kWh',
}
export const STAMP_LABELS: Record<DetectedFormat['stamp'], string> = { start: 'Début du pas', end: 'Fin du pas' }
export const TIME_ZONE_LABELS = {
  'Europe/Paris': 'Heure de Paris',
  UTC: 'Temps universel (UTC)',
  '+01:00': 'Heure d’hiver toute l’année (UTC+1)',
} as const
export const STEP_LABELS = {
  found: 'Selon les écarts entre les lignes',
  '5': '5\u00a0minutes',
  '10': '10\u00a0minutes',
  '15': '15\u00a0minutes',
  '30': '30\u00a0minutes',
  '60': '60\u00a0minutes',
} as const
/** What is chosen for a file, as the API takes it. */
export const parseStepChoice = (value: string): CurveImportChoices['step'] =>
  value === 'found' ? 'found' : ([5, 10, 15, 30, 60] as const).find((step) => String(step) === value)
export const getTimeZoneLabel = (zone: DetectedFormat['zone']) =>
  zone === 'offset' ? 'Écrit sur chaque ligne' : TIME_ZONE_LABELS[zone]

const PROBLEM_LABELS: Record<string, string> = {
  unreadable: 'Illisible',
  duplicate: 'En double',
  conflict: 'Contradictoire',
  overlap: 'Chevauchement',
  gap: 'Trou dans la série',
  negative: 'Valeur négative',
  impossible: 'Valeur impossible',
  'off-step': 'Hors du pas',
  'unknown-point': 'Point inconnu',
  rounded: 'Plus fin que le watt',
  'bad-prm': 'PRM absent ou faux',
}
export const getProblemLabel = (code: string) => PROBLEM_LABELS[code] ?? 'Autre remarque'

/** « 01/10/2026 – 14/11/2026 », or the one day that it is; `to` is excluded. */
export const formatShortDayRange = (from: string, to: string) => {
  const last = addDays(to, -1)
  return from === last ? formatDate(from) : `${formatDate(from)} – ${formatDate(last)}`
}

export type PointRow = MatrixRow & { prm: string }

const isMidnight = (instant: string) => /\u00a000:00$/.test(formatDateTime(instant))

/** The midnight that closes a day belongs to the day it closes. */
export const formatReceivedUntil = (until: string | null) =>
  until === null ? 'Jamais' : isMidnight(until) ? formatDate(Date.parse(until) - 1) : formatDateTime(until)

const foldText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether a point is meant: by a part of its name, or of its number typed with or without spaces. */
export function createPointMatcher(text: string) {
  const searchText = foldText(text).trim()
  const digits = searchText.replace(/\s/g, '')
  return (name: string, prm: string) => foldText(name).includes(searchText) || (digits !== '' && prm.includes(digits))
}
