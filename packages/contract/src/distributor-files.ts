import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, Day, Id, Instant, ListQuery, SuccessReply } from './primitives.ts'

export const DistributorFile = z.object({
  id: Id,
  name: z.string(),
  kind: z.string(),
  status: z.enum(['waiting', 'decoded', 'quarantined']),
  reason: z.string(),
  size: z.int(),
  counts: z.record(z.string(), z.int()),
  receivedAt: Instant,
  source: z.enum(['upload', 'folder', 'api']),
})
export type DistributorFile = z.infer<typeof DistributorFile>

/** An event of a supply contract, as reported by the distributor. */
export const ContractEvent = z.object({
  id: Id,
  prm: z.string(),
  pointId: Id.nullable(),
  label: z.string(),
  /** CFNE, CFNS, MES, RES… */
  event: z.string(),
  on: Day,
  /** 0, 1 or 2 as written by the distributor; null where absent. */
  collective: z.int().nullable(),
  meaning: z.string(),
})
export type ContractEvent = z.infer<typeof ContractEvent>

const idParams = z.object({ id: Id })

export const distributorFiles = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/distributor-files',
    access: { permission: 'distributor-files.read' },
    summary: 'Lister les fichiers du distributeur',
    query: ListQuery.extend({ status: DistributorFile.shape.status.optional() }),
    response: buildPageSchema(DistributorFile),
  }),
  upload: defineEndpoint({
    method: 'POST',
    path: '/api/distributor-files',
    access: { permission: 'distributor-files.write' },
    summary: 'Déposer un fichier du distributeur',
    query: z.object({ name: z.string().min(1).max(200), source: z.enum(['upload', 'api']).default('api') }),
    upload: 128 * 1024 * 1024,
    response: DistributorFile,
  }),
  download: defineEndpoint({
    method: 'GET',
    path: '/api/distributor-files/:id/content',
    access: { permission: 'distributor-files.read' },
    summary: 'Télécharger un fichier du distributeur',
    params: idParams,
    response: { file: 'application/octet-stream' },
  }),
  retry: defineEndpoint({
    method: 'POST',
    path: '/api/distributor-files/:id/retry',
    access: { permission: 'distributor-files.write' },
    summary: 'Relire un fichier mis à l’écart',
    params: idParams,
    response: DistributorFile,
  }),
  events: defineEndpoint({
    method: 'GET',
    path: '/api/contract-events',
    access: { permission: 'distributor-files.read' },
    summary: 'Lister les événements contractuels',
    query: ListQuery,
    response: buildPageSchema(ContractEvent),
  }),
  forget: defineEndpoint({
    method: 'DELETE',
    path: '/api/distributor-files/:id',
    access: { permission: 'distributor-files.write' },
    summary: 'Retirer un fichier mis à l’écart',
    params: idParams,
    response: SuccessReply,
  }),
}
