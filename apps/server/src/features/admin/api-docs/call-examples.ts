import { api } from '@voisol/contract'
import type { DocTab } from '@voisol/contract/api-docs'
import type { Endpoint } from '@voisol/contract/endpoint'

const buildFigures = (from: string, to: string, kwh: [number, number, number]) => {
  const [consumedKwh, localKwh, gridKwh] = kwh
  const none = { producedKwh: 0, sharedKwh: 0, surplusKwh: 0, sharedRate: null }
  return { from, to, consumedKwh, localKwh, gridKwh, localRate: localKwh / consumedKwh, receivedRate: 1, ...none }
}

/** Sample figures of a home without solar panels, on the evening of 16 June. */
const OWN_FIGURES = {
  receivedUntil: '2026-06-15T22:00:00.000Z',
  lastDay: buildFigures('2026-06-15', '2026-06-16', [8, 3, 5]),
  month: buildFigures('2026-06-01', '2026-06-17', [128, 48, 80]),
  year: buildFigures('2026-01-01', '2026-06-17', [1600, 400, 1200]),
}

/** The documented endpoints by tab, in display order. */
const DOCUMENTED_CALLS = {
  authentication: { auth: ['login', 'refresh', 'me', 'logout'] },
  operations: { operations: ['list', 'create', 'get', 'move'], participants: ['list'] },
  energy: { energy: ['production', 'consumption', 'summary', 'series'], ownFeed: ['figures'] },
  webhooks: { webhooks: ['list', 'create', 'test', 'deliveries', 'remove'] },
} as const satisfies Record<DocTab, Partial<Record<keyof typeof api, readonly string[]>>>

type DocumentedCalls = typeof DOCUMENTED_CALLS
type CallIds<T> = { [F in keyof T & string]: T[F] extends readonly string[] ? `${F}.${T[F][number]}` : never }[keyof T &
  string]
export type DocumentedCallId = { [T in DocTab]: CallIds<DocumentedCalls[T]> }[DocTab]

type DocumentedEndpoint = { id: DocumentedCallId; tab: DocTab; endpoint: Endpoint }

const requireEndpoint = (feature: string, name: string) => {
  const found = (api as Record<string, Record<string, Endpoint>>)[feature]?.[name] // names from the table above
  if (!found) throw new Error(`${feature}.${name} is not in the contract`)
  return found
}

export const documentedEndpoints: DocumentedEndpoint[] = Object.entries(DOCUMENTED_CALLS).flatMap(([tab, features]) =>
  Object.entries(features).flatMap(([feature, names]) =>
    (names as readonly string[]).map((name) => ({
      id: `${feature}.${name}` as DocumentedCallId, // both names come from the table above
      tab: tab as DocTab, // Object.entries() widens the key type to string
      endpoint: requireEndpoint(feature, name),
    })),
  ),
)

export type CallExample = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  response: unknown
}

const OPERATION = '0d9f6b1e-6f0c-4f2a-9d55-7c1b2a3e4f50'
const PARTICIPANT = '3a7c2e18-51b4-4d0e-8a67-9f0b1c2d3e4f'
const POINT = '5e1d4c3b-2a19-4f87-b6a5-0c9d8e7f6a5b'
const WEBHOOK = '7b2f9a64-0e3d-4c58-91a2-d4e5f6a7b8c9'
const SECRET = 'whsec_Tm91cyBwYXJ0YWdlb25zIGxlIHNvbGVpbCBkZXMgdG9pdHM='
const TOKEN = 'Wm9Qv3tXc7LkR2yHn5Jb8sDfG4pA6eZu1iOqTxYwVrM'
const REFRESH = 'Hs4Kd9PzQ2vLx7NtBc3WmYr8Jf6UgE1aTiOoRqXwZyC'

const user = {
  id: '9c4e2b7a-1f3d-4a5b-8c6d-7e8f9a0b1c2d',
  email: 'camille.durand@exemple.fr',
  firstName: 'Camille',
  lastName: 'Durand',
  phone: '04 72 00 12 34',
  role: 'admin',
  isAdmin: true,
  roleName: 'Administrateur',
  space: 'office',
  spaces: ['office'],
  permissions: ['operations.read', 'operations.write'],
  operationIds: null,
  companyId: 12,
  companyName: 'Les Toits Partagés',
  companies: [{ id: 12, name: 'Les Toits Partagés' }],
  secondFactor: true,
  secondFactors: ['code'],
  duty: null,
  emailVerified: true,
  trialEndsAt: null,
  exampleOf: null,
  readOnly: false,
  version: 3,
}

const place = { address: '12 rue des Tilleuls', postalCode: '69007', city: 'Lyon', latitude: 45.748, longitude: 4.842 }
const operation = {
  name: 'Résidence des Tilleuls',
  description: '',
  pmoName: 'Association Les Toits Partagés',
  pmoSiren: '',
  ...place,
  perimeter: 'extended',
  zone: 'metropole',
  capacityWatts: 36_000,
  stepMinutes: 15,
  startsOn: '2026-04-01',
  endsOn: null,
  surplusBuyer: '',
  unitPrice: 1200,
  vatMode: 'standard',
  timeCalendar: { offPeak: [[1320, 360]], peak: false },
  id: OPERATION,
  accNumber: 'ACC00000537',
  status: 'active',
  createdAt: '2026-03-02T09:15:00.000Z',
  version: 4,
  participants: 24,
  consumers: 24,
  producers: 1,
  totalCapacity: 36,
  method: 'default',
  completeness: 0.998,
  receivedUntil: '2026-06-15T22:00:00.000Z',
}
const createdOperation = {
  ...operation,
  accNumber: null,
  status: 'pending',
  version: 1,
  participants: 1,
  consumers: 1,
  producers: 0,
  method: null,
  completeness: null,
  receivedUntil: null,
}

const participant = {
  kind: 'person',
  name: 'Nadia Benali',
  firstName: 'Nadia',
  lastName: 'Benali',
  siren: '',
  email: 'nadia.benali@exemple.fr',
  phone: '',
  address: '12 rue des Tilleuls',
  postalCode: '69007',
  city: 'Lyon',
  notes: '',
  id: PARTICIPANT,
  role: 'consumer',
  state: 'active',
  operations: [{ id: OPERATION, name: 'Résidence des Tilleuls' }],
  points: [
    {
      id: POINT,
      prm: '19125759625988',
      label: 'Appartement 301',
      direction: 'consumption',
      storage: false,
      operationId: OPERATION,
    },
  ],
  portal: { status: 'active', lastSignInAt: '2026-06-14T18:20:00.000Z' },
  bank: { ibanEnd: '' },
  review: [],
  tags: ['bâtiment B'],
  createdAt: '2026-03-02T09:20:00.000Z',
  version: 2,
}

const totals = {
  produced: 148_200,
  shared: 121_350,
  surplus: 26_850,
  pendingProduced: 0,
  pendingConsumed: 0,
  consumed: 402_700,
  allocated: 121_350,
  complement: 281_350,
  selfConsumption: 0.8188,
  selfProduction: 0.3013,
  co2Grams: 1650,
  valueCents: 1456,
  unitPrice: 1200,
}

const webhook = {
  id: WEBHOOK,
  url: 'https://exemple.fr/evenements',
  events: ['curves.imported', 'allocation.completed'],
  status: 'active',
  stopped: null,
  failingSince: null,
  formerUntil: null,
  createdAt: '2026-06-01T08:00:00.000Z',
}

/** One example request and response for each documented endpoint; a test validates them all against the contract. */
export const CALL_EXAMPLES: Record<DocumentedCallId, CallExample> = {
  'auth.login': {
    body: { email: 'camille.durand@exemple.fr', password: 'un toit partagé au soleil' },
    response: { success: true, token: TOKEN, refreshToken: REFRESH, user },
  },
  'auth.refresh': {
    body: { refreshToken: REFRESH },
    response: { success: true, token: TOKEN, expiresIn: 3600, refreshToken: REFRESH },
  },
  'auth.me': { response: user },
  'auth.logout': { response: { success: true } },
  'operations.list': {
    query: { page: '1', limit: '20', status: 'active' },
    response: { items: [operation], total: 1, pagination: { page: 1, totalPages: 1, totalItems: 1 } },
  },
  'operations.create': {
    body: {
      name: 'Résidence des Tilleuls',
      address: '12 rue des Tilleuls',
      postalCode: '69007',
      city: 'Lyon',
      capacity: 36,
      participants: [{ kind: 'person', firstName: 'Nadia', lastName: 'Benali', prm: '19125759625988' }],
    },
    response: createdOperation,
  },
  'operations.get': { params: { id: OPERATION }, response: operation },
  'operations.move': {
    params: { id: OPERATION },
    body: { status: 'suspended', version: 4 },
    response: { ...operation, status: 'suspended', version: 5 },
  },
  'participants.list': {
    query: { operationId: OPERATION, role: 'consumer' },
    response: { items: [participant], total: 1 },
  },
  'energy.production': {
    query: { operationId: OPERATION, startDate: '2026-06-15', endDate: '2026-06-16', granularity: 'hour' },
    response: {
      data: [
        {
          timestamp: '2026-06-15T11:00:00.000Z',
          production: 24.6,
          shared: 19.8,
          surplus: 4.8,
          unit: 'kWh',
          weather: null,
        },
        {
          timestamp: '2026-06-15T12:00:00.000Z',
          production: 25.1,
          shared: 18.9,
          surplus: 6.2,
          unit: 'kWh',
          weather: null,
        },
      ],
      summary: { totalProduction: 148.2, averageProduction: 6.175, peakProduction: 25.1, unit: 'kWh' },
    },
  },
  'energy.consumption': {
    query: { participantId: PARTICIPANT, startDate: '2026-06-15', endDate: '2026-06-16' },
    response: {
      data: [
        {
          timestamp: '2026-06-15T11:00:00.000Z',
          consumption: 0.62,
          selfConsumption: 0.51,
          gridConsumption: 0.11,
          unit: 'kWh',
        },
        {
          timestamp: '2026-06-15T12:00:00.000Z',
          consumption: 0.44,
          selfConsumption: 0.44,
          gridConsumption: 0,
          unit: 'kWh',
        },
      ],
      summary: {
        totalConsumption: 9.8,
        totalSelfConsumption: 3.1,
        totalGridConsumption: 6.7,
        selfProductionRate: 0.3163,
        unit: 'kWh',
      },
    },
  },
  'energy.summary': {
    query: { operationId: OPERATION, from: '2026-06-15', to: '2026-06-16' },
    response: {
      from: '2026-06-15',
      to: '2026-06-16',
      current: totals,
      previous: null,
      lastYear: null,
      steps: { expected: 96, received: 96, allocated: 96, excluded: 0, estimated: 0 },
      receivedUntil: '2026-06-15T22:00:00.000Z',
      stale: false,
      definitive: false,
      co2: { gridGramsPerKwh: 21.7, solarGramsPerKwh: 8.1, source: 'Facteurs choisis par l’organisation' },
      neighbours: null,
      suspended: [],
    },
  },
  'energy.series': {
    query: { operationId: OPERATION, from: '2026-06-15', to: '2026-06-16', granularity: '15min' },
    response: {
      granularity: '15min',
      starts: ['2026-06-15T11:00:00.000Z', '2026-06-15T11:15:00.000Z'],
      step: 15,
      produced: [6120, 6180],
      shared: [4900, 5010],
      surplus: [1220, 1170],
      consumed: [7350, 7480],
      allocated: [4900, 5010],
      complement: [2450, 2470],
      marks: [1, 1],
    },
  },
  'ownFeed.figures': { response: OWN_FIGURES },
  'webhooks.list': { query: { page: '1' }, response: { items: [webhook], total: 1 } },
  'webhooks.create': {
    body: { url: webhook.url, events: webhook.events, secret: SECRET },
    response: { ...webhook, secret: SECRET },
  },
  'webhooks.test': { params: { id: WEBHOOK }, response: { success: true } },
  'webhooks.deliveries': {
    params: { id: WEBHOOK },
    query: { page: '1' },
    response: {
      items: [
        {
          id: 'c1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f',
          event: 'allocation.completed',
          sequence: 1284,
          status: 'delivered',
          attempts: 1,
          lastStatus: 204,
          lastError: '',
          createdAt: '2026-06-16T04:00:00.000Z',
          deliveredAt: '2026-06-16T04:00:01.000Z',
        },
      ],
      total: 1,
    },
  },
  'webhooks.remove': { params: { id: WEBHOOK }, response: { success: true } },
}
