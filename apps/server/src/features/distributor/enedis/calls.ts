import type { EnedisCall } from '@voisol/contract/enedis'
import { KNOWN } from '../../../adapters/enedis/faults.ts'
import { type Backend, CURVES, DAILY, OTHERS, type Template } from '../../../adapters/enedis/templates.ts'
import type { Direction, Enedis, SeriesType } from '../../../adapters/enedis/types.ts'
import { EXAMPLES } from './call-examples.ts'
import { acc, oneOf, optional, type Param, percentage, period, prm, type Values } from './call-params.ts'

/** `sign-in` has no call behind it; `writes` changes something at the distributor's. */
export type Call = Omit<EnedisCall, 'params'> & {
  params: Param[]
  mostDays?: number
  kind: 'reads' | 'writes' | 'sign-in'
  run(enedis: Enedis, values: Values): Promise<unknown>
}

const QUOTA = 'Quotas\u00a0: 5\u00a0appels par seconde et 10\u202f000 par heure pour un même client.'
const HALF_OPEN = 'Jours de Paris\u00a0; le jour de fin n’est pas compris et ne dépasse pas aujourd’hui.'
const MORNING = 'Les mesures de la veille sont là à partir de 8\u00a0h.'
const V4_DATES = 'Dates envoyées en temps universel, AAAAMMJJTHHMMSSZ\u00a0: l’instant où commence le jour à Paris.'
const TYPES = ['cons', 'prod', 'autocons', 'surplus', 'complement'] as const

const addressOf = ({ path, query = {} }: Template) => {
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return search.length ? `${path}?${search.join('&')}` : path
}
const value = (values: Values, name: string) => values[name] ?? ''
const periodOf = (values: Values) => ({ from: value(values, 'from'), to: value(values, 'to') })

const BACKENDS: [Backend, string][] = [
  ['dataconnect-v2', 'DataConnect 2026, v2'],
  ['dataconnect-v1', 'DataConnect 2026, v1'],
  ['holder', 'titulaire du contrat'],
]
const DIRECTIONS: [Direction, string][] = [
  ['consumption', 'consommation'],
  ['production', 'production'],
]

const measure = (backend: Backend, name: string, direction: Direction, said: string, curve: boolean): Call => ({
  id: `${backend}-${curve ? 'load-curve' : 'daily-energy'}-${direction}`,
  label: `${curve ? 'Courbe de charge' : 'Énergie quotidienne'}, ${said} (${name})`,
  method: 'GET',
  path: addressOf((curve ? CURVES : DAILY)[backend][direction]),
  backend,
  kind: 'reads',
  mostDays: curve ? 7 : 365,
  params: [prm(), ...period],
  notes: [
    curve
      ? 'Puissances moyennes en W\u00a0; chaque horodate est la fin de son pas (5, 10, 15, 30 ou 60\u00a0minutes).'
      : 'Énergies en Wh, une par jour.',
    curve
      ? 'Sept jours au plus par appel\u00a0; historique de 24\u00a0mois et 15\u00a0jours.'
      : '365\u00a0jours au plus par appel\u00a0; historique de 36\u00a0mois et 15\u00a0jours.',
    HALF_OPEN,
    MORNING,
    QUOTA,
  ],
  example: EXAMPLES[backend === 'dataconnect-v2' ? (curve ? 'curveV2' : 'dailyV2') : curve ? 'curveV1' : 'dailyV1'],
  run: (enedis, values) => {
    const asked = { prm: value(values, 'prm'), direction, ...periodOf(values) }
    return curve ? enedis.loadCurve(asked) : enedis.dailyEnergy(asked)
  },
})

const measures = BACKENDS.flatMap(([backend, name]) =>
  [true, false].flatMap((curve) =>
    DIRECTIONS.map(([direction, said]) => measure(backend, name, direction, said, curve)),
  ),
)

const other = (
  id: keyof typeof OTHERS,
  label: string,
  more: Omit<Call, 'id' | 'label' | 'method' | 'path' | 'example'>,
) =>
  ({ id, label, method: OTHERS[id].method, path: addressOf(OTHERS[id]), example: EXAMPLES[id], ...more }) satisfies Call

/** One quarter of an hour of one consumer: enough to see whether the file is taken. */
const keyFile = (values: Values) =>
  `Horodate;${value(values, 'consumer')}\n${value(values, 'from')} 00:15:00;${value(values, 'share')}\n`

const others: Call[] = [
  other('token', 'Jeton d’accès', {
    backend: 'gateway',
    kind: 'sign-in',
    params: [],
    notes: [
      'Identifiant et secret de l’application, en formulaire (grant_type=client_credentials).',
      'Le jeton vaut 3\u00a0h\u00a030\u00a0; Voisol en garde un par identifiant et ne l’affiche jamais.',
    ],
    run: () => Promise.resolve(),
  }),
  other('perimeter', 'Points du titulaire', {
    backend: 'holder',
    kind: 'reads',
    params: [],
    notes: ['Corps\u00a0: {"page_number":1}\u00a0; toutes les pages sont lues.', QUOTA],
    run: (enedis) => enedis.perimeter(),
  }),
  other('services', 'Services d’accès souscrits', {
    backend: 'dataconnect-v2',
    kind: 'reads',
    params: [prm()],
    notes: [
      'Corps\u00a0: {"pointId":"…"}\u00a0; dit jusqu’à quand l’accord du client vaut, trois ans au plus.',
      'Peut être vide juste après l’accord\u00a0: réessayer.',
      QUOTA,
    ],
    run: (enedis, values) => enedis.services(value(values, 'prm')),
  }),
  other('agreements', 'Conventions', {
    backend: 'collective',
    kind: 'reads',
    params: [],
    notes: [QUOTA],
    run: (enedis) => enedis.agreements(),
  }),
  other('agreement', 'Périmètre d’une convention', {
    backend: 'collective',
    kind: 'reads',
    params: [acc],
    notes: ['Rôle\u00a0: cons (soutirage) ou prod (injection), avec les dates d’entrée et de sortie.', QUOTA],
    run: (enedis, values) => enedis.agreement(value(values, 'acc')),
  }),
  other('series', 'Séries d’une convention', {
    backend: 'collective',
    kind: 'reads',
    mostDays: 31,
    params: [acc, oneOf('type', 'Série', TYPES), optional(prm('prm', 'Point (PRM), ou tous')), ...period],
    notes: [
      'cons = autocons + complement pour un consommateur\u00a0; prod = somme des autocons + surplus pour l’opération.',
      V4_DATES,
      'Mois terminés seulement\u00a0; trente et un jours au plus par appel.',
      QUOTA,
    ],
    run: (enedis, values) =>
      enedis.series({
        acc: value(values, 'acc'),
        type: value(values, 'type') as SeriesType, // checked by oneOf
        ...(values.prm !== undefined && { prm: values.prm }),
        ...periodOf(values),
      }),
  }),
  other('quantities', 'Quantités définitives d’un point', {
    backend: 'collective',
    kind: 'reads',
    mostDays: 366,
    params: [acc, oneOf('role', 'Rôle', ['cons', 'prod']), prm(), ...period],
    notes: [
      'En kWh entiers par poste horosaisonnier (P, HPH, HCH, HPB, HCB), pour des mois terminés.',
      'Types demandés\u00a0: cons, autocons, complement pour un consommateur\u00a0; prod, autocons, surplus pour un producteur.',
      V4_DATES,
      QUOTA,
    ],
    run: (enedis, values) =>
      enedis.definitiveEnergy({
        acc: value(values, 'acc'),
        prm: value(values, 'prm'),
        ...periodOf(values),
        role: value(values, 'role') === 'prod' ? 'prod' : 'cons',
      }),
  }),
  other('keys', 'Envoi de coefficients de répartition', {
    backend: 'collective',
    kind: 'writes',
    params: [
      acc,
      prm('prm', 'Producteur (PRM)'),
      prm('consumer', 'Consommateur (PRM)'),
      ...period.slice(0, 1),
      percentage,
    ],
    notes: [
      'Corps\u00a0: un fichier CSV par producteur, Horodate puis un consommateur par colonne, en pourcentage avec une décimale.',
      'À la main, un seul quart d’heure est envoyé, et jamais en production.',
      QUOTA,
    ],
    run: (enedis, values) =>
      enedis.uploadKeys({ acc: value(values, 'acc'), producerPrm: value(values, 'prm'), csv: keyFile(values) }),
  }),
]

/** Every call the product makes. */
export const CALLS: Call[] = [...others.slice(0, 1), ...measures, ...others.slice(1)]

export const FAULTS = KNOWN.map((known) => ({ ...known, status: null, message: known.message ?? '' }))
