import { AccNumber, OperationDraft } from '@voisol/contract/operations'
import { OptionalEmail, PostalCode, Prm, Siren } from '@voisol/contract/primitives'
import { isDay } from '@voisol/energy/calendar'
import type { z } from 'zod'
import { DAY_ERROR } from '../../../../lib/day-input.ts'
import { POSITION_ERROR, parsePosition } from '../../../../lib/field-schemas.ts'
import { parseNumber } from '../../../../lib/format.ts'
import { PRICE_ERROR, parsePrice } from '../../../../lib/price.ts'
import {
  type ConsumerRow,
  formatSharePercent,
  isBlankRow,
  type OperationWizardDraft,
  type PlantRow,
  parseRank,
  parseShare,
  sumShares,
  WHOLE_SHARE,
} from './draft.ts'
import { buildOperationBody, type RowSource } from './draft-body.ts'
import { findPerimeterRefusals } from './perimeter.ts'

export type WizardProblem = { path: string; message: string }
type Checks = [path: string, message: string | false | undefined][]

const toProblems = (checks: Checks): WizardProblem[] =>
  checks.flatMap(([path, message]) => (message ? [{ path, message }] : []))
const getSchemaMessage = (schema: z.ZodType, value: string) => schema.safeParse(value).error?.issues[0]?.message
const checkPosition = (text: string) => text.trim() !== '' && !parsePosition(text) && POSITION_ERROR
const checkNumber = (text: string, min: number, max: number, example: string) => {
  const value = parseNumber(text)
  return (value === null || value < min || value > max) && `Un nombre est attendu, par exemple ${example}.`
}

const checkIdentity = ({ name, accNumber, startsOn, description }: OperationWizardDraft) =>
  toProblems([
    ['name', name.trim() === '' && 'Donnez un nom à l’opération, par exemple Résidence des Tilleuls.'],
    ['name', name.length > 200 && 'Au plus 200 caractères.'],
    ['accNumber', accNumber.trim() !== '' && getSchemaMessage(AccNumber, accNumber)],
    ['startsOn', startsOn !== '' && !isDay(startsOn) && DAY_ERROR],
    ['description', description.length > 2000 && 'Au plus 2\u202f000 caractères.'],
  ])

const checkPlace = (draft: OperationWizardDraft) =>
  toProblems([
    ['postalCode', getSchemaMessage(PostalCode, draft.postalCode)],
    ['position', checkPosition(draft.position)],
    ['capacity', draft.capacity.trim() !== '' && checkNumber(draft.capacity, 0, 100_000, '36 ou 99,5')],
    ...findPerimeterRefusals(draft, 'declared').map(({ message }): Checks[number] => ['capacity', message]),
  ])

type Row = PlantRow | ConsumerRow
const toPrmDigits = (prm: string) => prm.replace(/\D/g, '')

/** Where each PRM stands first on one side; a point may well draw and inject. */
function findFirstLines(rows: Row[]) {
  const first = new Map<string, number>()
  rows.forEach((row, at) => {
    if (!isBlankRow(row) && !first.has(toPrmDigits(row.prm))) first.set(toPrmDigits(row.prm), at)
  })
  return first
}

function checkRows<R extends Row>(list: string, rows: R[], more: (row: R, path: string) => Checks): WizardProblem[] {
  const first = findFirstLines(rows)
  return rows.flatMap((row, at) => {
    if (isBlankRow(row)) return []
    const path = `${list}.${at}`
    const firstLine = first.get(toPrmDigits(row.prm)) ?? at
    return toProblems([
      [`${path}.name`, row.name.trim() === '' && 'Le nom est attendu, par exemple Camille Durand.'],
      [
        `${path}.prm`,
        getSchemaMessage(Prm, row.prm) ?? (firstLine < at && `Ce PRM est déjà saisi à la ligne ${firstLine + 1}.`),
      ],
      [`${path}.position`, checkPosition(row.position)],
      ...more(row, path),
    ])
  })
}

const checkProducers = (draft: OperationWizardDraft) => [
  ...checkRows('producers', draft.producers, (row, path) => [
    [`${path}.kwc`, checkNumber(row.kwc, 0.01, 100_000, '36 ou 99,5')],
    [`${path}.tilt`, row.tilt.trim() !== '' && checkNumber(row.tilt, 0, 90, '30')],
  ]),
  ...findPerimeterRefusals(draft, 'plants').map(({ message }) => ({ path: 'root.power', message })),
]

const checkConsumers = (draft: OperationWizardDraft) => [
  ...checkRows('consumers', draft.consumers, (row, path) => [
    [`${path}.email`, getSchemaMessage(OptionalEmail, row.email.trim())],
    [`${path}.kva`, row.kva.trim() !== '' && checkNumber(row.kva, 0, 40_000, '9')],
  ]),
  ...findPerimeterRefusals(draft, 'distance').map(({ message }) => ({ path: 'root.distance', message })),
]

function checkKey({ method, consumers: rows }: OperationWizardDraft): WizardProblem[] {
  const filledRows = rows.map((row, at) => ({ row, at })).filter(({ row }) => !isBlankRow(row))
  if (method === 'priority')
    return filledRows.flatMap(({ row, at }) =>
      toProblems([
        [`consumers.${at}.rank`, parseRank(row.rank) === null && 'Un rang entier est attendu, à partir de 1.'],
      ]),
    )
  if (method !== 'static' && method !== 'redistributed') return []
  const sum = sumShares(rows)
  return [
    ...filledRows.flatMap(({ row, at }) =>
      toProblems([
        [`consumers.${at}.share`, parseShare(row.share) === null && 'Un pourcentage est attendu, par exemple 4,5.'],
      ]),
    ),
    ...toProblems([
      [
        'root.sum',
        sum > WHOLE_SHARE &&
          `La somme des parts est de ${formatSharePercent(sum)}\u00a0: elle ne peut dépasser 100\u00a0%.`,
      ],
      [
        'root.sum',
        filledRows.length === 0 &&
          'Une clé à parts fixes demande au moins un consommateur\u00a0: ajoutez-le à l’étape précédente.',
      ],
      ['root.sum', filledRows.length > 0 && sum === 0 && 'Donnez une part à au moins un consommateur.'],
    ]),
  ]
}

const checkTariff = ({ price }: OperationWizardDraft) =>
  toProblems([['price', price.trim() !== '' && parsePrice(price) === null && PRICE_ERROR]])

/** By step, in the order of the wizard; the last one reads all the others again. */
const STEP_CHECKS: ((draft: OperationWizardDraft) => WizardProblem[])[] = [
  checkIdentity,
  ({ pmoSiren }) => toProblems([['pmoSiren', getSchemaMessage(Siren, pmoSiren)]]),
  checkPlace,
  checkProducers,
  checkConsumers,
  checkKey,
  checkTariff,
]

/** What the contract itself refuses of the body: the server judges by the same schema. */
function checkSchema(draft: OperationWizardDraft): WizardProblem[] {
  const request = buildOperationBody(draft, 'pending')
  const issues = OperationDraft.safeParse(request.body).error?.issues ?? []
  return toWizardProblems(
    issues.map(({ path, message }) => ({ path: path.join('.'), message })),
    request,
  )
}

/** The nearer words come first: what the contract says of the same field is not said twice. */
export function checkWizardStep(draft: OperationWizardDraft, step: number): WizardProblem[] {
  const stepProblems = STEP_CHECKS[step]?.(draft) ?? []
  const checkedPaths = new Set(stepProblems.map(({ path }) => path))
  return [
    ...stepProblems,
    ...checkSchema(draft).filter(({ path }) => getWizardStep(path) === step && !checkedPaths.has(path)),
  ]
}

/** The first step with something wrong; null where all is well. */
export function findFirstProblem(draft: OperationWizardDraft): { step: number; problems: WizardProblem[] } | null {
  for (const step of STEP_CHECKS.keys()) {
    const problems = checkWizardStep(draft, step)
    if (problems.length > 0) return { step, problems }
  }
  return null
}

type IssueSources = { sources: RowSource[]; shareSources: RowSource[] }

const POSITION_FIELDS = { latitude: 'position', longitude: 'position' }
const FORM_FIELDS: Record<string, string> = { ...POSITION_FIELDS, unitPrice: 'price', key: 'method' }
const ROW_FIELDS: Record<string, string> = {
  ...POSITION_FIELDS,
  prm: 'prm',
  email: 'email',
  peakWatts: 'kwc',
  subscribedVa: 'kva',
  azimuth: 'azimuth',
  tilt: 'tilt',
  segment: 'segment',
  kind: 'kind',
  name: 'name',
  firstName: 'name',
  lastName: 'name',
}
/** What a file said beyond the fields of a row stands at its name, and is named. */
const HIDDEN_FIELD_LABELS: Record<string, string> = {
  siren: 'SIREN',
  phone: 'Téléphone',
  address: 'Adresse',
  postalCode: 'Code postal',
  city: 'Ville',
  notes: 'Notes',
  label: 'Libellé du point',
  pointAddress: 'Adresse du point',
  commissionedOn: 'Mise en service',
  startsOn: 'Date d’entrée',
  endsOn: 'Date de sortie',
  agreementSignedOn: 'Accord signé le',
}

/** The field of the wizard that a path of the body was made from. */
export function getWizardField(path: string, { sources, shareSources }: IssueSources): string {
  const [, part, at, field] = /^(participants|key\.shares)\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
  const source = (part === 'participants' ? sources : shareSources)[Number(at)]
  if (!source) return FORM_FIELDS[path] ?? path
  const name = part === 'participants' ? (ROW_FIELDS[field ?? ''] ?? 'name') : field === 'rank' ? 'rank' : 'share'
  return `${source.list}.${source.index}.${name}`
}

const withFieldLabel = (path: string, message: string) => {
  const fieldLabel = HIDDEN_FIELD_LABELS[/^participants\.\d+\.(\w+)$/.exec(path)?.[1] ?? '']
  return fieldLabel ? `${fieldLabel}\u00a0: ${message}` : message
}

/** What belongs to no field of the wizard is told on top. */
export const toWizardProblems = (issues: WizardProblem[], sources: IssueSources): WizardProblem[] =>
  issues.map(({ path, message }) => ({
    path: getWizardField(path, sources) || 'root.server',
    message: withFieldLabel(path, message),
  }))

const STEP_PATTERNS: [RegExp, number][] = [
  [/^(name|accNumber|startsOn|endsOn|description)$/, 0],
  [/^pmo/, 1],
  [/^(address|postalCode|city|position|perimeter|zone|capacity)$/, 2],
  [/^producers/, 3],
  [/^consumers\.\d+\.(share|rank)$/, 5],
  [/^consumers/, 4],
  [/^method$/, 5],
  [/^(price|vatMode|surplusBuyer)$/, 6],
]
/** What belongs to no field is said at the end, where the wizard is sent from. */
export const getWizardStep = (path: string) => STEP_PATTERNS.find(([pattern]) => pattern.test(path))?.[1] ?? 7
