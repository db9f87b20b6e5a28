import type { DistributorFile } from '@voisol/contract/distributor-files'
import { formatCount, formatNumber } from '../../../lib/format.ts'

const FILE_KIND_LABELS: Record<string, string> = {
  R63: 'Courbes de charge',
  R64: 'Index quotidiens',
  R15: 'Quantités et index',
  C15: 'Événements contractuels',
  R50: 'Courbes de charge',
  R4x: 'Courbes de charge',
  HDM: 'Historique de mesures',
  R151: 'Index quotidiens',
  R171: 'Index quotidiens',
}

/** « R63 » and what it holds; several kinds of one archive are told apart. */
export const describeFileKind = (kind: string) => ({
  code: kind || '–',
  meaning: FILE_KIND_LABELS[kind] ?? FILE_KIND_LABELS[kind.toUpperCase()] ?? '',
})

const COUNT_LABELS: [key: string, singular: string, several?: string][] = [
  ['readings', 'relevé'],
  ['newDays', 'journée nouvelle', 'journées nouvelles'],
  ['changedDays', 'journée modifiée', 'journées modifiées'],
  ['sameDays', 'journée identique', 'journées identiques'],
  ['quantities', 'quantité'],
  ['events', 'événement'],
  ['indexes', 'index', 'index'],
  ['unknownPoints', 'point inconnu', 'points inconnus'],
]

/** What was drawn from the file, in one line. */
export const formatFileCounts = (counts: DistributorFile['counts']) =>
  COUNT_LABELS.flatMap(([key, singular, several]) => {
    const count = counts[key] ?? 0
    return count > 0 ? [formatCount(count, singular, several)] : []
  }).join(', ')

export const formatFileSize = (bytes: number) =>
  bytes < 1024
    ? formatCount(bytes, 'octet')
    : bytes < 2 ** 20
      ? `${formatNumber(Math.round(bytes / 1024))}\u00a0ko`
      : `${formatNumber(bytes / 2 ** 20, 1)}\u00a0Mo`
