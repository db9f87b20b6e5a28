import { AccNumber, OperationDraft } from '@voisol/contract/operations'
import { OptionalEmail, PostalCode, Prm, Siren } from '@voisol/contract/primitives'
import { isDay } from '@voisol/energy/calendar'
import type { z } from 'zod'
import { DAY_ERROR } from '../../../lib/day-text.ts'
import { parseNumber } from '../../../lib/format.ts'
import { POSITION_ERROR, parsePosition } from '../../../lib/position.ts'
import { PRICE_ERROR, parsePrice } from '../../../lib/price.ts'
import { bodyOf } from './body.ts'
import { type ConsumerRow, type Draft, isBlank, type PlantRow } from './draft.ts'
import { refusalsOf } from './perimeter.ts'
import { fieldsOf, stepOf } from './server-issues.ts'
import { percentText, rankOf, shareOf, sumOfShares, WHOLE } from './shares.ts'

export type Problem = { path: string; message: string }
type Checks = [path: string, message: string | false | undefined][]

const found = (checks: Checks): Problem[] => checks.flatMap(([path, message]) => (message ? [{ path, message }] : []))
const refusedBy = (schema: z.ZodType, value: string) => schema.safeParse(value).error?.issues[0]?.message
const notPosition = (text: string) => text.trim() !== '' && !parsePosition(text) && POSITION_ERROR
const notNumber = (text: string, least: number, most: number, example: string) => {
  const value = parseNumber(text)
  return (value === null || value < least || value > most) && `Un nombre est attendu, par exemple ${example}.`
}

const identity = ({ name, accNumber, startsOn, description }: Draft) =>
  found([
    ['name', name.trim() === '' && 'Donnez un nom à l’opération, par exemple Résidence des Tilleuls.'],
    ['name', name.length > 200 && 'Au plus 200 caractères.'],
    ['accNumber', accNumber.trim() !== '' && refusedBy(AccNumber, accNumber)],
    ['startsOn', startsOn !== '' && !isDay(startsOn) && DAY_ERROR],
    ['description', description.length > 2000 && 'Au plus 2\u202f000 caractères.'],
  ])

const perimeter = (draft: Draft) =>
  found([
    ['postalCode', refusedBy(PostalCode, draft.postalCode)],
    ['position', notPosition(draft.position)],
    ['capacity', draft.capacity.trim() !== '' && notNumber(draft.capacity, 0, 100_000, '36 ou 99,5')],
    ...refusalsOf(draft, 'declared').map(({ message }): Checks[number] => ['capacity', message]),
  ])

type Row = PlantRow | ConsumerRow
const digits = (prm: string) => prm.replace(/\D/g, '')

/** Where each PRM stands first on one side; a point may well draw and inject. */
function firstLines(rows: Row[]) {
  const first = new Map<string, number>()
  rows.forEach((row, at) => {
    if (!isBlank(row) && !first.has(digits(row.prm))) first.set(digits(row.prm), at)
  })
  return first
}

function rowsOf<R extends Row>(list: string, rows: R[], more: (row: R, path: string) => Checks): Problem[] {
  const first = firstLines(rows)
  return rows.flatMap((row, at) => {
    if (isBlank(row)) return []
    const path = `${list}.${at}`
    const twin = first.get(digits(row.prm)) ?? at
    return found([
      [`${path}.name`, row.name.trim() === '' && 'Le nom est attendu, par exemple Camille Durand.'],
      [`${path}.prm`, refusedBy(Prm, row.prm) ?? (twin < at && `Ce PRM est déjà saisi à la ligne ${twin + 1}.`)],
      [`${path}.position`, notPosition(row.position)],
      ...more(row, path),
    ])
  })
}

const producers = (draft: Draft) => [
  ...rowsOf('producers', draft.producers, (row, path) => [
    [`${path}.kwc`, notNumber(row.kwc, 0.01, 100_000, '36 ou 99,5')],
    [`${path}.tilt`, row.tilt.trim() !== '' && notNumber(row.tilt, 0, 90, '30')],
  ]),
  ...refusalsOf(draft, 'plants').map(({ message }) => ({ path: 'root.power', message })),
]

const consumers = (draft: Draft) => [
  ...rowsOf('consumers', draft.consumers, (row, path) => [
    [`${path}.email`, refusedBy(OptionalEmail, row.email.trim())],
    [`${path}.kva`, row.kva.trim() !== '' && notNumber(row.kva, 0, 40_000, '9')],
  ]),
  ...refusalsOf(draft, 'distance').map(({ message }) => ({ path: 'root.distance', message })),
]

function key({ method, consumers: rows }: Draft): Problem[] {
  const named = rows.map((row, at) => ({ row, at })).filter(({ row }) => !isBlank(row))
  if (method === 'priority')
    return named.flatMap(({ row, at }) =>
      found([[`consumers.${at}.rank`, rankOf(row.rank) === null && 'Un rang entier est attendu, à partir de 1.']]),
    )
  if (method !== 'static' && method !== 'redistributed') return []
  const sum = sumOfShares(rows)
  return [
    ...named.flatMap(({ row, at }) =>
      found([[`consumers.${at}.share`, shareOf(row.share) === null && 'Un pourcentage est attendu, par exemple 4,5.']]),
    ),
    ...found([
      [
        'root.sum',
        sum > WHOLE && `La somme des parts est de ${percentText(sum)}\u00a0: elle ne peut dépasser 100\u00a0%.`,
      ],
      [
        'root.sum',
        named.length === 0 &&
          'Une clé à parts fixes demande au moins un consommateur\u00a0: ajoutez-le à l’étape précédente.',
      ],
      ['root.sum', named.length > 0 && sum === 0 && 'Donnez une part à au moins un consommateur.'],
    ]),
  ]
}

const tariff = ({ price }: Draft) =>
  found([['price', price.trim() !== '' && parsePrice(price) === null && PRICE_ERROR]])

/** By step, in the order of the wizard; the last one reads all the others again. */
const CHECKS: ((draft: Draft) => Problem[])[] = [
  identity,
  ({ pmoSiren }) => found([['pmoSiren', refusedBy(Siren, pmoSiren)]]),
  perimeter,
  producers,
  consumers,
  key,
  tariff,
]

/** What the contract itself refuses of the body: the server judges by the same schema. */
function schemaProblems(draft: Draft): Problem[] {
  const sent = bodyOf(draft, 'pending')
  const issues = OperationDraft.safeParse(sent.body).error?.issues ?? []
  return fieldsOf(
    issues.map(({ path, message }) => ({ path: path.join('.'), message })),
    sent,
  )
}

/** The nearer words come first: what the contract says of the same field is not said twice. */
export function problemsOf(draft: Draft, step: number): Problem[] {
  const near = CHECKS[step]?.(draft) ?? []
  const known = new Set(near.map(({ path }) => path))
  return [...near, ...schemaProblems(draft).filter(({ path }) => stepOf(path) === step && !known.has(path))]
}

/** The first step with something wrong; null where all is well. */
export function firstProblem(draft: Draft): { step: number; problems: Problem[] } | null {
  for (const step of CHECKS.keys()) {
    const problems = problemsOf(draft, step)
    if (problems.length > 0) return { step, problems }
  }
  return null
}
