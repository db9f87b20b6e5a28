import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { ParticipantLine } from './participants.ts'
import {
  Address,
  AllocationMethod,
  buildPageSchema,
  Day,
  Direction,
  Id,
  IMPACT_PREVIEW_FIELDS,
  Instant,
  Latitude,
  ListQuery,
  Longitude,
  OptionalText,
  PostalCode,
  Precision,
  Siren,
  SuccessReply,
  TableFormat,
  Text,
  Version,
} from './primitives.ts'
import { Verdict } from './reconciliation.ts'

export const OperationStatus = z.enum(['draft', 'pending', 'active', 'suspended', 'closed'])
export type OperationStatus = z.infer<typeof OperationStatus>
export const Perimeter = z.enum(['building', 'extended', 'periurban', 'rural', 'epci'])
export const Zone = z.enum(['metropole', 'zni'])
export const VatMode = z.enum(['standard', 'exempt', 'outside', 'elsewhere'])
const StepMinutes = z.union([z.literal(5), z.literal(10), z.literal(15), z.literal(30), z.literal(60)])
const TimeCalendar = z.strictObject({
  offPeak: z.array(z.tuple([z.int().min(0).max(1440), z.int().min(0).max(1440)])).max(4),
  peak: z.boolean(),
})
export const AccNumber = z
  .string()
  .trim()
  .toUpperCase()
  .refine(
    (value) => /^ACC\d{8}$/.test(value),
    'Un numéro d’opération s’écrit ACC et huit chiffres, par exemple ACC00000537.',
  )

const operationFields = {
  name: Text,
  description: z.string().trim().max(2000),
  pmoName: OptionalText,
  pmoSiren: Siren,
  address: Address,
  postalCode: PostalCode,
  city: OptionalText,
  latitude: Latitude,
  longitude: Longitude,
  perimeter: Perimeter,
  zone: Zone,
  capacityWatts: z.int().min(0).max(100_000_000),
  stepMinutes: StepMinutes,
  startsOn: Day.nullable(),
  endsOn: Day.nullable(),
  surplusBuyer: OptionalText,
  /** 1/10 000 of a euro per kWh, before tax. */
  unitPrice: z.int().min(0).max(100_000).nullable(),
  vatMode: VatMode,
  timeCalendar: TimeCalendar,
}

export const Operation = z.object({
  ...operationFields,
  id: Id,
  accNumber: z.string().nullable(),
  status: OperationStatus,
  createdAt: Instant,
  version: z.int(),
  /** People and organisations that take part today or will. */
  participants: z.int(),
  consumers: z.int(),
  producers: z.int(),
  /** Kilowatts: that of the producers' plants once they are known, else the declared one. */
  totalCapacity: z.number(),
  /** The method of the key in force today. */
  method: AllocationMethod.nullable(),
  /** Share of the readings expected over the last 30 days that were received, 0 to 1. */
  completeness: z.number().nullable(),
  receivedUntil: Instant.nullable(),
})
export type Operation = z.infer<typeof Operation>

export const OperationQuery = ListQuery.extend({
  /** The same as `size`. */
  limit: z.coerce.number().int().min(1).max(100).optional(),
  status: OperationStatus.optional(),
})

/** The key of a new operation, by the PRM of those it names. */
const FirstKey = z.strictObject({
  method: AllocationMethod,
  shares: z.array(z.strictObject({ prm: z.string(), share: z.int().optional(), rank: z.int().optional() })).max(2000),
})

/** Only the name is needed; what is not said has the usual value. */
export const OperationDraft = z.strictObject({
  name: Text,
  status: z.enum(['draft', 'pending']).default('pending'),
  accNumber: AccNumber.nullable().default(null),
  /** Kilowatts. */
  capacity: z.number().min(0).max(100_000).default(0),
  participants: z.array(ParticipantLine).max(2000).default([]),
  key: FirstKey.nullable().default(null),
  ...z.object(operationFields).omit({ name: true, capacityWatts: true }).partial().shape,
})
export const OperationUpdate = z.strictObject({ ...operationFields, accNumber: AccNumber.nullable(), version: Version })

/** Of a state, what it becomes. */
export const OperationStatusChange = z.strictObject({ status: OperationStatus, version: Version })

const FindingSeverity = z.enum(['refused', 'warning'])
export const OperationFinding = z.object({ severity: FindingSeverity, message: z.string(), rule: z.string() })
/** What stands between the operation and its next state, each with the screen that settles it. */
export const NextStep = z.object({ label: z.string(), done: z.boolean(), url: z.string().nullable() })

const PlacedPoint = z.object({
  id: Id,
  /** The dwelling and its holder. */
  label: z.string(),
  direction: Direction,
  storage: z.boolean().optional(),
  version: z.int(),
})

export const OperationOverview = z.object({
  findings: z.array(OperationFinding),
  nextSteps: z.array(NextStep),
  /** Metres between the two most distant points, where their places are known. */
  spread: z.object({ metres: z.int(), from: z.string(), to: z.string() }).nullable(),
  /** Whether the rules are kept: not known while a place is missing or known by its commune alone. */
  verdict: z.enum(['fine', 'unsure', 'refused']),
  places: z.array(PlacedPoint.extend({ latitude: z.number(), longitude: z.number(), precision: Precision })),
  /** Those that cannot be drawn: nothing is known of their place, or a commune whose middle is not known. */
  unplaced: z.array(PlacedPoint.extend({ commune: z.string().nullable() })),
  transitions: z.array(OperationStatus),
  /** How the last month of which the distributor gave figures compares with ours. */
  reconciliation: z.object({ month: Day, verdict: Verdict }).nullable(),
})

const params = z.object({ id: Id })
const basePath = '/api/acc-operations'
const itemPath = '/api/acc-operations/:id'

export const operations = {
  list: defineEndpoint({
    method: 'GET',
    path: basePath,
    access: { permission: 'operations.read' },
    summary: 'Lister les opérations',
    query: OperationQuery,
    response: buildPageSchema(Operation).extend({
      pagination: z.object({ page: z.int(), totalPages: z.int(), totalItems: z.int() }),
    }),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: `${basePath}/export`,
    access: { permission: 'operations.read' },
    summary: 'Exporter les opérations',
    query: OperationQuery.extend({ format: TableFormat }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  create: defineEndpoint({
    method: 'POST',
    path: basePath,
    access: { permission: 'operations.create' },
    summary: 'Créer une opération',
    body: OperationDraft,
    response: Operation,
  }),
  /** What creating it would refuse, by the same rules; nothing of it stays. */
  check: defineEndpoint({
    method: 'POST',
    path: `${basePath}/check`,
    access: { permission: 'operations.create' },
    summary: 'Vérifier une opération avant de la créer',
    body: OperationDraft,
    response: z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })) }),
    audit: 'none',
  }),
  get: defineEndpoint({
    method: 'GET',
    path: itemPath,
    access: { permission: 'operations.read' },
    summary: 'Lire une opération',
    params,
    response: Operation,
  }),
  overview: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/overview`,
    access: { permission: 'operations.read' },
    summary: 'État d’une opération',
    params,
    response: OperationOverview,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: itemPath,
    access: { permission: 'operations.write' },
    summary: 'Modifier une opération',
    params,
    body: OperationUpdate.extend(IMPACT_PREVIEW_FIELDS),
    response: Operation,
  }),
  move: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/status`,
    access: { permission: 'operations.write' },
    summary: 'Changer l’état d’une opération',
    params,
    body: OperationStatusChange.extend(IMPACT_PREVIEW_FIELDS),
    response: Operation,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: itemPath,
    access: { permission: 'operations.write' },
    summary: 'Supprimer un brouillon d’opération',
    params,
    response: SuccessReply,
  }),
}
