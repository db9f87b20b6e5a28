import type { EnedisCall } from '@voisol/contract/enedis'
import { daysBetween, isDay } from '@voisol/energy/calendar'
import { AppError } from '../../../http/errors.ts'
import {
  type CallTemplate,
  CURVE_TEMPLATES,
  DAILY_ENERGY_TEMPLATES,
  type EnedisInterface,
  OTHER_TEMPLATES,
} from '../../../integrations/enedis/call-templates.ts'
import { KNOWN_FAULTS } from '../../../integrations/enedis/enedis-faults.ts'
import type { Direction, EnedisClient, SeriesType } from '../../../integrations/enedis/enedis-types.ts'
import { ANSWER_EXAMPLES } from './call-examples.ts'

type ParamDescription = EnedisCall['params'][number]
type CallParam = ParamDescription & { wrong(value: string): string | undefined }
export type ParamValues = Record<string, string>

const buildParam = (shown: ParamDescription, pattern: (value: string) => boolean, expected: string): CallParam => ({
  ...shown,
  wrong: (value) => (pattern(value) ? undefined : expected),
})
const describeParam = (
  name: string,
  label: string,
  kind: ParamDescription['kind'],
  example: string,
): ParamDescription => ({
  name,
  label,
  kind,
  example,
  required: true,
})

const prmParam = (name = 'prm', label = 'Point (PRM)') =>
  buildParam(
    describeParam(name, label, 'prm', '19125759625988'),
    (value) => /^\d{14}$/.test(value),
    'Un PRM compte quatorze chiffres, par exemple 19125759625988.',
  )
const accParam = buildParam(
  describeParam('acc', 'Convention', 'acc', 'ACC00000537'),
  (value) => /^ACC\d{8}$/.test(value),
  'Numéro attendu\u00a0: ACC et huit chiffres, par exemple ACC00000537.',
)
const dayParam = (name: string, label: string, example: string) =>
  buildParam(
    describeParam(name, label, 'day', example),
    isDay,
    `Jour attendu sous la forme AAAA-MM-JJ, par exemple ${example}.`,
  )
const periodParams = [dayParam('from', 'Du (compris)', '2026-09-01'), dayParam('to', 'Au (non compris)', '2026-09-08')]
const enumParam = (name: string, label: string, values: readonly [string, ...string[]]) =>
  buildParam(
    describeParam(name, label, 'text', values[0]),
    (value) => values.includes(value),
    `Valeur attendue\u00a0: ${values.join(', ')}.`,
  )
const percentageParam = buildParam(
  describeParam('share', 'Part attribuée (%)', 'text', '100,0'),
  (value) => /^\d{1,3}(,\d)?$/.test(value) && Number(value.replace(',', '.')) <= 100,
  'Pourcentage attendu, de 0 à 100 avec une décimale au plus, par exemple 62,5.',
)
const makeOptional = (one: CallParam): CallParam => ({ ...one, required: false })

function findPeriodFault({ from, to }: ParamValues, mostDays: number | undefined): string | undefined {
  if (from === undefined || to === undefined) return undefined
  if (from >= to) return 'La fin doit venir après le début\u00a0: le jour de fin n’est pas compris.'
  return mostDays !== undefined && daysBetween(from, to) > mostDays
    ? `Cet appel porte sur ${mostDays}\u00a0jours au plus\u00a0; la période demandée en compte ${daysBetween(from, to)}.`
    : undefined
}

/** The validated parameters, or every error with its field. */
export function parseCallParams(params: CallParam[], given: ParamValues, mostDays: number | undefined): ParamValues {
  const issues: { path: string; message: string }[] = []
  const values: ParamValues = {}
  for (const { name, label, required, wrong } of params) {
    const value = (given[name] ?? '').trim()
    const message = value === '' ? required && `${label}\u00a0: une valeur est attendue.` : wrong(value)
    if (message) issues.push({ path: `params.${name}`, message })
    if (value !== '') values[name] = value
  }
  const known = new Set(params.map(({ name }) => name))
  for (const name of Object.keys(given))
    if (!known.has(name)) issues.push({ path: `params.${name}`, message: 'Cet appel n’a pas ce paramètre.' })
  const late = issues.length ? undefined : findPeriodFault(values, mostDays)
  if (late) issues.push({ path: 'params.to', message: late })
  if (issues[0]) throw new AppError('invalid', { message: issues[0].message, issues })
  return values
}

/** `sign-in` makes no API call; `writes` changes data at the distributor. */
export type EnedisCallDefinition = Omit<EnedisCall, 'params'> & {
  params: CallParam[]
  mostDays?: number
  kind: 'reads' | 'writes' | 'sign-in'
  run(enedis: EnedisClient, values: ParamValues): Promise<unknown>
}

const QUOTA_NOTE = 'Quotas\u00a0: 5\u00a0appels par seconde et 10\u202f000 par heure pour un même client.'
const HALF_OPEN_NOTE = 'Jours de Paris\u00a0; le jour de fin n’est pas compris et ne dépasse pas aujourd’hui.'
const MORNING_NOTE = 'Les mesures de la veille sont là à partir de 8\u00a0h.'
const V4_DATES_NOTE =
  'Dates envoyées en temps universel, AAAAMMJJTHHMMSSZ\u00a0: l’instant où commence le jour à Paris.'
const SERIES_TYPES = ['cons', 'prod', 'autocons', 'surplus', 'complement'] as const

const formatAddress = ({ path, query = {} }: CallTemplate) => {
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return search.length ? `${path}?${search.join('&')}` : path
}
const getValue = (values: ParamValues, name: string) => values[name] ?? ''
const getPeriod = (values: ParamValues) => ({ from: getValue(values, 'from'), to: getValue(values, 'to') })

const BACKEND_LABELS: [EnedisInterface, string][] = [
  ['dataconnect-v2', 'DataConnect 2026, v2'],
  ['dataconnect-v1', 'DataConnect 2026, v1'],
  ['holder', 'titulaire du contrat'],
]
const DIRECTION_LABELS: [Direction, string][] = [
  ['consumption', 'consommation'],
  ['production', 'production'],
]

const buildMeasureCall = (
  backend: EnedisInterface,
  name: string,
  direction: Direction,
  said: string,
  curve: boolean,
): EnedisCallDefinition => ({
  id: `${backend}-${curve ? 'load-curve' : 'daily-energy'}-${direction}`,
  label: `${curve ? 'Courbe de charge' : 'Énergie quotidienne'}, ${said} (${name})`,
  method: 'GET',
  path: formatAddress((curve ? CURVE_TEMPLATES : DAILY_ENERGY_TEMPLATES)[backend][direction]),
  backend,
  kind: 'reads',
  mostDays: curve ? 7 : 365,
  params: [prmParam(), ...periodParams],
  notes: [
    curve
      ? 'Puissances moyennes en W\u00a0; chaque horodate est la fin de son pas (5, 10, 15, 30 ou 60\u00a0minutes).'
      : 'Énergies en Wh, une par jour.',
    curve
      ? 'Sept jours au plus par appel\u00a0; historique de 24\u00a0mois et 15\u00a0jours.'
      : '365\u00a0jours au plus par appel\u00a0; historique de 36\u00a0mois et 15\u00a0jours.',
    HALF_OPEN_NOTE,
    MORNING_NOTE,
    QUOTA_NOTE,
  ],
  example:
    ANSWER_EXAMPLES[backend === 'dataconnect-v2' ? (curve ? 'curveV2' : 'dailyV2') : curve ? 'curveV1' : 'dailyV1'],
  run: (enedis, values) => {
    const asked = { prm: getValue(values, 'prm'), direction, ...getPeriod(values) }
    return curve ? enedis.loadCurve(asked) : enedis.dailyEnergy(asked)
  },
})

const MEASURE_CALLS = BACKEND_LABELS.flatMap(([backend, name]) =>
  [true, false].flatMap((curve) =>
    DIRECTION_LABELS.map(([direction, said]) => buildMeasureCall(backend, name, direction, said, curve)),
  ),
)

const buildCall = (
  id: keyof typeof OTHER_TEMPLATES,
  label: string,
  more: Omit<EnedisCallDefinition, 'id' | 'label' | 'method' | 'path' | 'example'>,
) =>
  ({
    id,
    label,
    method: OTHER_TEMPLATES[id].method,
    path: formatAddress(OTHER_TEMPLATES[id]),
    example: ANSWER_EXAMPLES[id],
    ...more,
  }) satisfies EnedisCallDefinition

/** A key file with one quarter-hour of one consumer: enough to test whether the file is accepted. */
const buildKeyFile = (values: ParamValues) =>
  `Horodate;${getValue(values, 'consumer')}\n${getValue(values, 'from')} 00:15:00;${getValue(values, 'share')}\n`

const OTHER_CALLS: EnedisCallDefinition[] = [
  buildCall('token', 'Jeton d’accès', {
    backend: 'gateway',
    kind: 'sign-in',
    params: [],
    notes: [
      'Identifiant et secret de l’application, en formulaire (grant_type=client_credentials).',
      'Le jeton vaut 3\u00a0h\u00a030\u00a0; Voisol en garde un par identifiant et ne l’affiche jamais.',
    ],
    run: () => Promise.resolve(),
  }),
  buildCall('perimeter', 'Points du titulaire', {
    backend: 'holder',
    kind: 'reads',
    params: [],
    notes: ['Corps\u00a0: {"page_number":1}\u00a0; toutes les pages sont lues.', QUOTA_NOTE],
    run: (enedis) => enedis.perimeter(),
  }),
  buildCall('services', 'Services d’accès souscrits', {
    backend: 'dataconnect-v2',
    kind: 'reads',
    params: [prmParam()],
    notes: [
      'Corps\u00a0: {"pointId":"…"}\u00a0; dit jusqu’à quand l’accord du client vaut, trois ans au plus.',
      'Peut être vide juste après l’accord\u00a0: réessayer.',
      QUOTA_NOTE,
    ],
    run: (enedis, values) => enedis.services(getValue(values, 'prm')),
  }),
  buildCall('agreements', 'Conventions', {
    backend: 'collective',
    kind: 'reads',
    params: [],
    notes: [QUOTA_NOTE],
    run: (enedis) => enedis.agreements(),
  }),
  buildCall('agreement', 'Périmètre d’une convention', {
    backend: 'collective',
    kind: 'reads',
    params: [accParam],
    notes: ['Rôle\u00a0: cons (soutirage) ou prod (injection), avec les dates d’entrée et de sortie.', QUOTA_NOTE],
    run: (enedis, values) => enedis.agreement(getValue(values, 'acc')),
  }),
  buildCall('series', 'Séries d’une convention', {
    backend: 'collective',
    kind: 'reads',
    mostDays: 31,
    params: [
      accParam,
      enumParam('type', 'Série', SERIES_TYPES),
      makeOptional(prmParam('prm', 'Point (PRM), ou tous')),
      ...periodParams,
    ],
    notes: [
      'cons = autocons + complement pour un consommateur\u00a0; prod = somme des autocons + surplus pour l’opération.',
      V4_DATES_NOTE,
      'Mois terminés seulement\u00a0; trente et un jours au plus par appel.',
      QUOTA_NOTE,
    ],
    run: (enedis, values) =>
      enedis.series({
        acc: getValue(values, 'acc'),
        type: getValue(values, 'type') as SeriesType, // checked by oneOf
        ...(values.prm !== undefined && { prm: values.prm }),
        ...getPeriod(values),
      }),
  }),
  buildCall('quantities', 'Quantités définitives d’un point', {
    backend: 'collective',
    kind: 'reads',
    mostDays: 366,
    params: [accParam, enumParam('role', 'Rôle', ['cons', 'prod']), prmParam(), ...periodParams],
    notes: [
      'En kWh entiers par poste horosaisonnier (P, HPH, HCH, HPB, HCB), pour des mois terminés.',
      'Types demandés\u00a0: cons, autocons, complement pour un consommateur\u00a0; prod, autocons, surplus pour un producteur.',
      V4_DATES_NOTE,
      QUOTA_NOTE,
    ],
    run: (enedis, values) =>
      enedis.definitiveEnergy({
        acc: getValue(values, 'acc'),
        prm: getValue(values, 'prm'),
        ...getPeriod(values),
        role: getValue(values, 'role') === 'prod' ? 'prod' : 'cons',
      }),
  }),
  buildCall('keys', 'Envoi de coefficients de répartition', {
    backend: 'collective',
    kind: 'writes',
    params: [
      accParam,
      prmParam('prm', 'Producteur (PRM)'),
      prmParam('consumer', 'Consommateur (PRM)'),
      ...periodParams.slice(0, 1),
      percentageParam,
    ],
    notes: [
      'Corps\u00a0: un fichier CSV par producteur, Horodate puis un consommateur par colonne, en pourcentage avec une décimale.',
      'À la main, un seul quart d’heure est envoyé, et jamais en production.',
      QUOTA_NOTE,
    ],
    run: (enedis, values) =>
      enedis.uploadKeys({
        acc: getValue(values, 'acc'),
        producerPrm: getValue(values, 'prm'),
        csv: buildKeyFile(values),
      }),
  }),
]

/** Every call of the product to the distributor's API. */
export const ENEDIS_CALLS: EnedisCallDefinition[] = [
  ...OTHER_CALLS.slice(0, 1),
  ...MEASURE_CALLS,
  ...OTHER_CALLS.slice(1),
]

export const ENEDIS_FAULTS = KNOWN_FAULTS.map((known) => ({ ...known, status: null, message: known.message ?? '' }))
