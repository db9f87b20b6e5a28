import type { ParticipantLine } from '@voisol/contract/participants'
import { getUsualSegment } from '@voisol/contract/points'
import { formatPosition } from '../../../../lib/field-schemas.ts'
import { formatNumber, parseNumber } from '../../../../lib/format.ts'
import {
  type ConsumerRow,
  createConsumerRow,
  createPlantRow,
  isBlankRow,
  type OperationWizardDraft,
  type PlantRow,
} from './draft.ts'
import { getFullName } from './draft-body.ts'

const formatThousandth = (value: number | null | undefined) =>
  typeof value === 'number' ? formatNumber(value / 1000).replaceAll('\u202f', '') : ''
const formatOptionalNumber = (value: number | null | undefined) => (typeof value === 'number' ? String(value) : '')

/** An organisation has a name of its own or a number; anybody else is a person. */
const guessKind = ({ kind, name, firstName, lastName, siren }: ParticipantLine) =>
  kind ?? (!firstName && (siren || (name && !lastName)) ? 'organisation' : 'person')

const toCommonFields = (line: ParticipantLine) => ({
  kind: guessKind(line),
  name: getFullName(line),
  prm: line.prm,
  position: formatPosition({ latitude: line.latitude ?? null, longitude: line.longitude ?? null }),
  segment: line.segment ?? getUsualSegment(line.direction),
  rest: line,
})

const toPlantRow = (line: ParticipantLine): PlantRow => ({
  ...createPlantRow(),
  ...toCommonFields(line),
  kwc: formatThousandth(line.peakWatts),
  azimuth: formatOptionalNumber(line.azimuth),
  tilt: formatOptionalNumber(line.tilt),
})
const toConsumerRow = (line: ParticipantLine): ConsumerRow => ({
  ...createConsumerRow(),
  ...toCommonFields(line),
  meter: line.storage ? 'battery' : 'home',
  email: line.email ?? '',
  kva: formatThousandth(line.subscribedVa),
})

type Row = PlantRow | ConsumerRow
/** What somebody typed and the file says otherwise: the typed value stands. */
export type KeptValue = { row: string; field: string; typed: string; said: string }

const FIELD_LABELS: Record<string, string> = {
  kind: 'Type',
  name: 'Nom',
  email: 'Adresse e-mail',
  kwc: 'Puissance crête',
  kva: 'Puissance souscrite',
  azimuth: 'Orientation',
  tilt: 'Inclinaison',
  position: 'Coordonnées',
  segment: 'Segment',
  meter: 'Compteur',
}
/** What a choice is called on the screen. */
const CHOICE_LABELS: Record<string, string> = {
  person: 'Particulier',
  organisation: 'Organisation',
  home: 'Consommation',
  battery: 'Batterie',
}
const getChoiceLabel = (value: string) => CHOICE_LABELS[value] ?? value
const NUMBER_FIELDS = ['kwc', 'kva', 'azimuth', 'tilt']
const isSameValue = (field: string, a: string, b: string) =>
  NUMBER_FIELDS.includes(field) ? parseNumber(a) === parseNumber(b) : a.trim() === b.trim()

type Texts = Record<string, string>
const pickTexts = (row: Row): Texts =>
  Object.fromEntries(Object.entries(row).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])))

/** As the row stood before anybody typed in it: as its file said, or as a new one. */
const getUntouchedTexts = (row: Row, fresh: () => Row, read: (line: ParticipantLine) => Row): Texts =>
  pickTexts(
    row.rest.prm ? read({ ...row.rest, prm: row.rest.prm, direction: row.rest.direction ?? 'consumption' }) : fresh(),
  )

/** The kind, the segment and the nature of a meter follow from the rest of a line where it does not say them. */
const isGivenByFile = ({ kind, segment, storage }: Row['rest'], field: string) => {
  if (field === 'kind') return kind !== undefined
  if (field === 'meter') return storage !== undefined
  return field !== 'segment' || segment !== undefined
}

/** The file fills what is empty and renews what it or an earlier file said; what was typed stays. */
function mergeRow<R extends Row>(row: R, newer: R, untouchedTexts: Texts, kept: KeptValue[]): R {
  const [rowTexts, fileTexts] = [pickTexts(row), pickTexts(newer)]
  const values: Texts = {}
  for (const [field, label] of Object.entries(FIELD_LABELS)) {
    const [typed = '', fileValue = ''] = [rowTexts[field], fileTexts[field]]
    const isTyped = typed.trim() !== '' && !isSameValue(field, typed, untouchedTexts[field] ?? '')
    if (fileValue === '') continue
    if (!isTyped) values[field] = fileValue
    else if (isGivenByFile(newer.rest, field) && !isSameValue(field, typed, fileValue))
      kept.push({
        row: row.name || row.prm,
        field: label,
        typed: getChoiceLabel(typed),
        said: getChoiceLabel(fileValue),
      })
  }
  return { ...row, ...values, rest: { ...row.rest, ...newer.rest } }
}

const toPrmDigits = ({ prm }: Row) => prm.replace(/\D/g, '')

type MergeSide<R extends Row> = { rows: R[]; fresh: () => R; read: (line: ParticipantLine) => R }
/** A line about a point that is already there completes it in its place; the others follow. */
function mergeRows<R extends Row>(
  { rows, fresh, read }: MergeSide<R>,
  lines: ParticipantLine[],
  kept: KeptValue[],
): R[] {
  const next = new Map(lines.map(read).map((row) => [toPrmDigits(row), row]))
  const mergedRows = rows
    .filter((row) => !isBlankRow(row))
    .map((row) => {
      const newer = next.get(toPrmDigits(row))
      next.delete(toPrmDigits(row))
      return newer ? mergeRow(row, newer, getUntouchedTexts(row, fresh, read), kept) : row
    })
  return [...mergedRows, ...next.values()]
}

/** The good lines of a file, each where it belongs: what only injects among the producers, the rest and the batteries among the consumers. */
export function mergeImportedLines(
  { producers, consumers }: Pick<OperationWizardDraft, 'producers' | 'consumers'>,
  lines: ParticipantLine[],
) {
  const keptValues: KeptValue[] = []
  const injects = ({ direction, storage }: ParticipantLine) => direction === 'production' && !storage
  const producerSide = { rows: producers, fresh: createPlantRow, read: toPlantRow }
  const consumerSide = { rows: consumers, fresh: createConsumerRow, read: toConsumerRow }
  return {
    producers: mergeRows(producerSide, lines.filter(injects), keptValues),
    consumers: mergeRows(
      consumerSide,
      lines.filter((line) => !injects(line)),
      keptValues,
    ),
    kept: keptValues,
  }
}
