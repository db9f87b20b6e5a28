import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { EnedisEnvironment, EnedisFault } from './enedis.ts'
import {
  buildPageSchema,
  Day,
  Direction,
  Flag,
  Id,
  Instant,
  ListQuery,
  SuccessReply,
  TableFormat,
  Version,
} from './primitives.ts'

export const SyncKind = z.enum(['load-curve', 'daily-energy', 'agreement-series', 'definitive', 'perimeter'])
export type SyncKind = z.infer<typeof SyncKind>
export const SyncStatus = z.enum(['waiting', 'running', 'succeeded', 'partial', 'failed', 'cancelled'])
export type SyncStatus = z.infer<typeof SyncStatus>
const SyncTrigger = z.enum(['schedule', 'weekly', 'manual', 'backfill', 'gap', 'explorer'])

export const SyncTask = z.object({
  id: Id,
  kind: SyncKind,
  trigger: SyncTrigger,
  status: SyncStatus,
  operationId: Id.nullable(),
  operationName: z.string(),
  environment: z.string(),
  points: z.int(),
  from: Day,
  to: Day,
  progress: z.int(),
  counts: z.object({
    windows: z.int(),
    done: z.int(),
    failed: z.int(),
    calls: z.int(),
    readings: z.int(),
    newDays: z.int(),
    changedDays: z.int(),
    sameDays: z.int(),
  }),
  message: z.string(),
  createdBy: z.string(),
  createdAt: Instant,
  startedAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
})
export type SyncTask = z.infer<typeof SyncTask>

const SyncAttempt = z.object({
  at: Instant,
  request: z.string(),
  status: z.int().nullable(),
  code: z.string(),
  requestId: z.string(),
  milliseconds: z.int(),
  sha256: z.string().nullable(),
})
export const SyncWindow = z.object({
  id: Id,
  pointId: Id.nullable(),
  prm: z.string(),
  label: z.string(),
  direction: Direction.nullable(),
  /** One direction of a battery. */
  storage: z.boolean().optional(),
  from: Day,
  to: Day,
  status: z.enum(['waiting', 'running', 'done', 'failed', 'skipped']),
  nextAt: Instant.nullable(),
  attempts: z.array(SyncAttempt),
  fault: EnedisFault.nullable(),
})
export type SyncWindow = z.infer<typeof SyncWindow>

export const SyncError = z.object({
  id: Id,
  at: Instant,
  fault: EnedisFault,
  operationId: Id.nullable(),
  operationName: z.string(),
  pointId: Id.nullable(),
  prm: z.string(),
  /** The dwelling and its holder, where it is about a point. */
  label: z.string(),
  taskId: Id.nullable(),
  requestId: z.string(),
  /** Under which the answer is kept as it came; null where there was none. */
  sha256: z.string().nullable(),
  /** How often the same cause came again for the same point. */
  times: z.int(),
  lastAt: Instant,
  handledAt: Instant.nullable(),
  handledBy: z.string(),
})
export type SyncError = z.infer<typeof SyncError>

export const SyncSettings = z.object({
  /** Paris time, not before 08:00: yesterday is not there earlier. */
  hour: z.int().min(8).max(23),
  enabled: z.boolean(),
  /** How many days back the daily pass looks again. */
  rollingDays: z.int().min(1).max(30),
  /** A folder watched for files of the distributor; empty for none. */
  folder: z.string().max(500),
  /** Those it may be: the company's own below each root that the operator opened. Without one nothing can be watched. */
  folders: z.array(z.string()),
  /** 64 hexadecimal characters; never given back. */
  hasFileKey: z.boolean(),
  toleranceWh: z.int().min(0).max(100_000),
  version: z.int(),
})
export type SyncSettings = z.infer<typeof SyncSettings>

/** How a point stands with the distributor. */
export const PointSyncStatus = z.object({
  pointId: Id,
  prm: z.string(),
  label: z.string(),
  direction: Direction,
  /** One direction of a battery. */
  storage: z.boolean().optional(),
  startsOn: Day,
  endsOn: Day.nullable(),
  /** As the distributor's perimeter has it; null where it does not, or was never read. */
  theirs: z.object({ startsOn: Day.nullable(), endsOn: Day.nullable() }).nullable(),
  receivedUntil: Day.nullable(),
  /** Calls are stopped since then, for this reason. */
  blockedAt: Instant.nullable(),
  fault: EnedisFault.nullable(),
  accessUntil: Day.nullable(),
  /** Minutes after the end of a day when its readings usually come; null before it is learned. */
  arrivalMinutes: z.int().nullable(),
  samples: z.int(),
})
export type PointSyncStatus = z.infer<typeof PointSyncStatus>

const ErrorFilters = {
  nature: EnedisFault.shape.nature.optional(),
  code: z.string().max(60).optional(),
  handled: Flag.optional(),
  operationId: Id.optional(),
}
const idParams = z.object({ id: Id })

export const sync = {
  tasks: defineEndpoint({
    method: 'GET',
    path: '/api/sync/tasks',
    access: { permission: 'sync.read' },
    summary: 'Lister les synchronisations',
    query: ListQuery.extend({ status: SyncStatus.optional(), kind: SyncKind.optional(), operationId: Id.optional() }),
    response: buildPageSchema(SyncTask),
  }),
  task: defineEndpoint({
    method: 'GET',
    path: '/api/sync/tasks/:id',
    access: { permission: 'sync.read' },
    summary: 'Ouvrir une synchronisation',
    params: idParams,
    response: SyncTask,
  }),
  windows: defineEndpoint({
    method: 'GET',
    path: '/api/sync/tasks/:id/windows',
    access: { permission: 'sync.read' },
    summary: 'Lister les appels d’une synchronisation',
    params: idParams,
    query: ListQuery.extend({ status: SyncWindow.shape.status.optional() }),
    response: buildPageSchema(SyncWindow),
  }),
  start: defineEndpoint({
    method: 'POST',
    path: '/api/sync/tasks',
    access: { permission: 'sync.write' },
    summary: 'Demander des données au distributeur',
    body: z.strictObject({
      kind: SyncKind,
      operationId: Id,
      /** All of the operation's where none is named. */
      pointIds: z.array(Id).max(1000).default([]),
      from: Day,
      to: Day,
      /** Where it was asked for. */
      trigger: SyncTrigger.extract(['manual', 'explorer']).default('manual'),
    }),
    response: SyncTask,
  }),
  retry: defineEndpoint({
    method: 'POST',
    path: '/api/sync/tasks/:id/retry',
    access: { permission: 'sync.write' },
    summary: 'Reprendre les appels qui ont échoué',
    params: idParams,
    response: SyncTask,
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: '/api/sync/tasks/:id/cancel',
    access: { permission: 'sync.write' },
    summary: 'Arrêter une synchronisation',
    params: idParams,
    response: SyncTask,
  }),
  errors: defineEndpoint({
    method: 'GET',
    path: '/api/sync/errors',
    access: { permission: 'sync.read' },
    summary: 'Lister les erreurs du distributeur',
    query: ListQuery.extend(ErrorFilters),
    response: buildPageSchema(SyncError),
  }),
  errorGroups: defineEndpoint({
    method: 'GET',
    path: '/api/sync/error-groups',
    access: { permission: 'sync.read' },
    summary: 'Compter les erreurs par cause',
    query: z.object({ handled: Flag.optional() }),
    response: z.object({
      items: z.array(z.object({ fault: EnedisFault, errors: z.int(), points: z.int(), lastAt: Instant })),
    }),
  }),
  exportErrors: defineEndpoint({
    method: 'GET',
    path: '/api/sync/errors/export',
    access: { permission: 'sync.read' },
    summary: 'Exporter les erreurs du distributeur',
    query: ListQuery.extend({ ...ErrorFilters, format: TableFormat }),
    response: { file: 'text/csv' },
  }),
  handle: defineEndpoint({
    method: 'POST',
    path: '/api/sync/errors/handle',
    access: { permission: 'sync.write' },
    summary: 'Marquer des erreurs comme traitées',
    body: z.strictObject({ ids: z.array(Id).max(1000).default([]), code: z.string().max(60).optional() }),
    response: z.object({ success: z.literal(true), count: z.int() }),
  }),
  settings: defineEndpoint({
    method: 'GET',
    path: '/api/sync/settings',
    access: { permission: 'sync.read' },
    summary: 'Lire les réglages de synchronisation',
    response: SyncSettings,
  }),
  saveSettings: defineEndpoint({
    method: 'PUT',
    path: '/api/sync/settings',
    access: { permission: 'sync.write' },
    summary: 'Enregistrer les réglages de synchronisation',
    body: z.strictObject({
      hour: z.int().min(8).max(23),
      enabled: z.boolean(),
      rollingDays: z.int().min(1).max(30),
      folder: z.string().trim().max(500),
      toleranceWh: z.int().min(0).max(100_000),
      /** Given to change it; empty to forget it. */
      fileKey: z
        .string()
        .regex(/^([0-9a-fA-F]{64})?$/, 'Clé attendue\u00a0: 64 caractères hexadécimaux.')
        .optional(),
      version: Version.or(z.literal(0)),
    }),
    response: SyncSettings,
  }),
  /** What the distributor's link with an operation's points is worth. */
  standing: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/distributor',
    access: { permission: 'operations.read' },
    summary: 'Voir une opération chez le distributeur',
    params: idParams,
    response: z.object({
      credentialId: Id.nullable(),
      environment: EnedisEnvironment.nullable(),
      lastTask: SyncTask.nullable(),
      /** When the perimeter was last read there. */
      perimeterAt: Instant.nullable(),
      points: z.array(PointSyncStatus),
      /** Points of the agreement that the operation does not have here. */
      strangers: z.array(
        z.object({ prm: z.string(), direction: Direction, startsOn: Day.nullable(), endsOn: Day.nullable() }),
      ),
    }),
  }),
  /** The consent is back, or the refusal was wrong: calls begin again. */
  resume: defineEndpoint({
    method: 'POST',
    path: '/api/points/:id/distributor/resume',
    access: { permission: 'sync.write' },
    summary: 'Reprendre les appels d’un point',
    params: idParams,
    response: SuccessReply,
  }),
  /** What a trouble of the distributor's stopped goes on together. */
  resumeAll: defineEndpoint({
    method: 'POST',
    path: '/api/sync/points/resume',
    access: { permission: 'sync.write' },
    summary: 'Reprendre les appels de tous les points arrêtés',
    body: z.strictObject({ operationId: Id.optional() }),
    response: z.object({ success: z.literal(true), count: z.int() }),
  }),
}
