import { type Operation, operations } from '@voisol/contract/operations'
import { PERIMETER_RULES } from '@voisol/energy/perimeter'
import { formatFrenchDay } from '@voisol/file-formats/french'
import type { FastifyInstance } from 'fastify'
import {
  applyConfirmedChange,
  type ChangeConfirmation,
  splitConfirmation,
  toConfirmationDetail,
} from '../../../core/change-confirmation.ts'
import { KEY_METHOD_LABELS, OPERATION_STATUS_LABELS, OPERATION_ZONE_LABELS } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { checkOperation, createOperation, removeOperation, updateOperation } from './edit-operation.ts'
import { changeOperationStatus, loadOperationOverview, type ReconciliationLoader } from './operation-life-cycle.ts'
import { listAllOperations, listOperations, loadOperation } from './operation-queries.ts'

/** Records the changed fields in the audit log, and returns the operation as it is now. */
function recordOperationChange(
  { note }: RouteContext,
  { before, after }: { before: Operation; after: Operation },
  word: ChangeConfirmation,
): Operation {
  const names = Object.keys(after) as (keyof Operation)[] // Object.keys loses their type
  const differing = names.filter(
    (name) => name !== 'version' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (of: Operation) => Object.fromEntries(differing.map((name) => [name, of[name]]))
  const detail = { operationId: after.id, before: pick(before), after: pick(after), ...toConfirmationDetail(word) }
  note({ target: after.name, detail })
  return after
}

/** Injected because reconciliation is a feature that depends on this one. */
export function operationRoutes(app: FastifyInstance, loadReconciliation: ReconciliationLoader) {
  addRoute(app, operations.list, ({ query }, { db, actor }) => listOperations(db, actor, query))
  addRoute(app, operations.export, async ({ query }, { db, actor }) =>
    exportOperations(await listAllOperations(db, actor, query), query.format),
  )
  addRoute(app, operations.get, ({ params }, { db, actor }) => loadOperation(db, actor, params.id))
  addRoute(app, operations.overview, ({ params }, { db, actor }) =>
    loadOperationOverview(db, actor, params.id, loadReconciliation),
  )
  addRoute(app, operations.create, async ({ body }, { db, actor, note }) => {
    const after = await createOperation(db, actor, body)
    note({ target: after.name, detail: { operationId: after.id, after } })
    return after
  })
  addRoute(app, operations.check, async ({ body }, { db, actor }) => ({
    issues: await checkOperation(db, actor, body),
  }))
  addRoute(app, operations.update, async ({ params, body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const change = { kind: 'operation' as const, id: params.id, body: input }
    const write = (tx: Db) => updateOperation(tx, ctx.actor, params.id, input)
    return recordOperationChange(ctx, await applyConfirmedChange(ctx, change, word, write), word)
  })
  addRoute(app, operations.move, async ({ params, body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const change = { kind: 'status' as const, id: params.id, body: input }
    const write = (tx: Db) => changeOperationStatus(tx, ctx.actor, params.id, input)
    return recordOperationChange(ctx, await applyConfirmedChange(ctx, change, word, write), word)
  })
  addRoute(app, operations.remove, async ({ params }, { db, actor, note }) => {
    const before = await removeOperation(db, actor, params.id)
    note({ target: before.name, detail: { operationId: before.id, before } })
    return { success: true as const }
  })
}

const formatDayCell = (day: string | null) => (day ? formatFrenchDay(day) : '')
const PARIS_DATE_FORMAT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'Europe/Paris' })

type OperationColumn = [header: string, cell: (operation: Operation) => string | number | null]
const OPERATION_COLUMNS: OperationColumn[] = [
  ['Nom', (o) => o.name],
  ['Numéro ACC', (o) => o.accNumber],
  ['État', (o) => OPERATION_STATUS_LABELS[o.status]],
  ['Personne morale organisatrice', (o) => o.pmoName],
  ['SIREN', (o) => o.pmoSiren],
  ['Adresse', (o) => o.address],
  ['Code postal', (o) => o.postalCode],
  ['Ville', (o) => o.city],
  ['Périmètre', (o) => PERIMETER_RULES[o.perimeter].label],
  ['Zone', (o) => OPERATION_ZONE_LABELS[o.zone]],
  ['Participants', (o) => o.participants],
  ['Consommateurs', (o) => o.consumers],
  ['Producteurs', (o) => o.producers],
  ['Puissance (kW)', (o) => o.totalCapacity],
  ['Clé en vigueur', (o) => (o.method ? KEY_METHOD_LABELS[o.method] : '')],
  ['Pas (min)', (o) => o.stepMinutes],
  ['Prix (c€/kWh HT)', (o) => (o.unitPrice === null ? null : o.unitPrice / 100)],
  ['Début', (o) => formatDayCell(o.startsOn)],
  ['Fin', (o) => formatDayCell(o.endsOn)],
  ['Relevés reçus sur 30 jours (%)', (o) => (o.completeness === null ? null : Math.round(o.completeness * 1000) / 10)],
  ['Créée le', (o) => PARIS_DATE_FORMAT.format(new Date(o.createdAt))],
]

const exportOperations = (operations: Operation[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'operations',
    format,
    OPERATION_COLUMNS.map(([header]) => header),
    operations.map((operation) => OPERATION_COLUMNS.map(([, cell]) => cell(operation))),
  )
