import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done, Id, Instant, Version } from './primitives.ts'

const CopyName = z.string().regex(/^voisol-[0-9-]{15,20}$/, 'Le nom d’une copie est attendu.')

export const InstallationCopy = z.object({
  name: z.string(),
  madeAt: Instant,
  version: z.string(),
  bytes: z.int(),
  rows: z.int(),
  files: z.int(),
  missing: z.int(),
  /** By which the master key that it needs is known. */
  secretPrint: z.string(),
  /** Why it is kept: as the last of which day, week or month; nothing where the schedule would let it go. */
  keptFor: z.array(z.enum(['day', 'week', 'month'])),
  /** Its last drill or verification. */
  proved: z.object({ kind: z.enum(['verify', 'drill']), at: Instant, ok: z.boolean() }).nullable(),
})
export type InstallationCopy = z.infer<typeof InstallationCopy>

export const CopyRun = z.object({
  id: Id,
  kind: z.enum(['copy', 'verify', 'drill']),
  copy: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  askedBy: z.string(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  seconds: z.int().nullable(),
  failure: z.string().nullable(),
  findings: z.array(z.object({ label: z.string(), ok: z.boolean(), detail: z.string() })),
})
export type CopyRun = z.infer<typeof CopyRun>

const kept = (most: number) => z.int().min(0).max(most)
export const CopySchedule = z.strictObject({
  enabled: z.boolean(),
  hour: z.int().min(0).max(23),
  /** Monday is 1. */
  drillDay: z.int().min(1).max(7),
  days: kept(90).min(1, 'Au moins un jour est gardé.'),
  weeks: kept(104),
  months: kept(120),
  version: Version,
})
export type CopySchedule = z.infer<typeof CopySchedule>

const params = z.object({ name: CopyName })
const watching = { permission: 'installation.read' } as const
const keeping = { permission: 'installation.write' } as const
const days = (most: number) => z.coerce.number().int().min(0).max(most)

export const backups = {
  installation: endpoint({
    method: 'GET',
    path: '/api/installation/backups',
    access: watching,
    summary: 'Lister les copies de l’installation',
    response: z.object({
      place: z.string(),
      /** Why none can be made, where none can. */
      trouble: z.string().nullable(),
      copies: z.array(InstallationCopy),
      runs: z.array(CopyRun),
      schedule: CopySchedule,
      next: Instant.nullable(),
      nextDrill: Instant.nullable(),
    }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/installation/backups',
    access: keeping,
    summary: 'Copier l’installation',
    response: Done,
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/installation/backups/:name/verify',
    access: keeping,
    summary: 'Vérifier une copie de l’installation',
    params,
    response: Done,
  }),
  drill: endpoint({
    method: 'POST',
    path: '/api/installation/backups/:name/drill',
    access: keeping,
    summary: 'Essayer la restauration d’une copie',
    params,
    response: Done,
  }),
  content: endpoint({
    method: 'GET',
    path: '/api/installation/backups/:name/file',
    access: keeping,
    summary: 'Télécharger une copie de l’installation',
    params,
    response: { file: 'application/octet-stream' },
    timeout: 3600,
  }),
  saveSchedule: endpoint({
    method: 'PUT',
    path: '/api/installation/backups/schedule',
    access: keeping,
    summary: 'Régler les copies de l’installation',
    body: CopySchedule,
    response: CopySchedule,
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/installation/backups/retention',
    access: watching,
    summary: 'Prévoir quelles copies seraient gardées',
    query: z.object({ days: days(90), weeks: days(104), months: days(120) }),
    response: z.object({
      /** What a year and more of daily copies would leave, newest first. */
      steady: z.array(z.object({ day: z.string(), keptFor: z.array(z.enum(['day', 'week', 'month'])) })),
      /** Of those there are, the ones that would go at the next copy. */
      leaving: z.array(z.string()),
    }),
  }),
}
