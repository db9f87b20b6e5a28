import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Id, Instant, SuccessReply, Text, Version } from './primitives.ts'
import { ReauthenticationProof } from './reauthentication.ts'

const CopyName = z.string().regex(/^voisol-[0-9-]{15,20}$/, 'Le nom d’une copie est attendu.')

export const InstallationCopy = z.object({
  name: z.string(),
  madeAt: Instant,
  version: z.string(),
  bytes: z.int(),
  rows: z.int(),
  files: z.int(),
  missing: z.int(),
  /** Fingerprint of the master key that the backup needs. */
  secretPrint: z.string(),
  /** Why it is kept: as the last of a day, week or month; empty where the schedule would delete it. */
  keptFor: z.array(z.enum(['day', 'week', 'month'])),
  /** Its last restore test or verification. */
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

const copyCount = (max: number) => z.int().min(0).max(max)
export const CopySchedule = z.strictObject({
  enabled: z.boolean(),
  hour: z.int().min(0).max(23),
  /** Monday is 1. */
  drillDay: z.int().min(1).max(7),
  days: copyCount(90).min(1, 'Au moins un jour est gardé.'),
  weeks: copyCount(104),
  months: copyCount(120),
  version: Version,
})
export type CopySchedule = z.infer<typeof CopySchedule>

const TableRowCount = z.object({ label: z.string(), rows: z.int() })
/** What an archive would import, shown before anything is written. */
export const ArchivePreview = z.object({
  company: z.string(),
  madeOn: Day.nullable(),
  version: z.string(),
  /** The trusted installation that signed it; without a signature only what a file import could bring is taken. */
  signedBy: z.string().nullable(),
  taken: z.array(TableRowCount),
  /** `rows` is null where the archive does not say how many there are. */
  left: z.array(z.object({ label: z.string(), rows: z.int().nullable(), why: z.string() })),
  files: z.int(),
  fileBytes: z.int(),
  /** What is imported differently from the archive, in French. */
  remarks: z.array(z.string()),
})
export type ArchivePreview = z.infer<typeof ArchivePreview>

export const CompanyCopy = z.object({
  id: Id,
  kind: z.enum(['export', 'import']),
  /** `read`: the archive was read and waits for confirmation. */
  state: z.enum(['waiting', 'read', 'done', 'failed', 'expired']),
  name: z.string(),
  askedBy: z.string(),
  createdAt: Instant,
  endedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  size: z.int().nullable(),
  rows: z.int().nullable(),
  files: z.int().nullable(),
  failure: z.string().nullable(),
  preview: ArchivePreview.nullable(),
})
export type CompanyCopy = z.infer<typeof CompanyCopy>

/** The Ed25519 key of another installation, 32 bytes in base64. */
export const InstallationKey = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9+/]{43}=$/,
    'Une clé publique compte 44 caractères et finit par =. Copiez-la entière, telle que l’autre installation l’affiche.',
  )
export const TrustedInstallation = z.object({
  id: Id,
  name: z.string(),
  publicKey: z.string(),
  addedBy: z.string(),
  createdAt: Instant,
})
export type TrustedInstallation = z.infer<typeof TrustedInstallation>

const params = z.object({ name: CopyName })
const idParams = z.object({ id: Id })
const readAccess = { permission: 'backups.read' } as const
const writeAccess = { permission: 'backups.write' } as const
const installationReadAccess = { permission: 'installation.read' } as const
const installationWriteAccess = { permission: 'installation.write' } as const
const days = (max: number) => z.coerce.number().int().min(0).max(max)

/** The largest archive that can be uploaded in the browser. */
export const MAX_ARCHIVE_BYTES = 200 * 1024 * 1024

export const backups = {
  installation: defineEndpoint({
    method: 'GET',
    path: '/api/installation/backups',
    access: installationReadAccess,
    summary: 'Lister les copies de l’installation',
    response: z.object({
      place: z.string(),
      /** Why no backup can be made; null when one can. */
      trouble: z.string().nullable(),
      copies: z.array(InstallationCopy),
      runs: z.array(CopyRun),
      schedule: CopySchedule,
      next: Instant.nullable(),
      nextDrill: Instant.nullable(),
    }),
  }),
  start: defineEndpoint({
    method: 'POST',
    path: '/api/installation/backups',
    access: installationWriteAccess,
    summary: 'Copier l’installation',
    response: SuccessReply,
  }),
  verify: defineEndpoint({
    method: 'POST',
    path: '/api/installation/backups/:name/verify',
    access: installationWriteAccess,
    summary: 'Vérifier une copie de l’installation',
    params,
    response: SuccessReply,
  }),
  drill: defineEndpoint({
    method: 'POST',
    path: '/api/installation/backups/:name/drill',
    access: installationWriteAccess,
    summary: 'Essayer la restauration d’une copie',
    params,
    response: SuccessReply,
  }),
  content: defineEndpoint({
    method: 'GET',
    path: '/api/installation/backups/:name/file',
    access: installationWriteAccess,
    summary: 'Télécharger une copie de l’installation',
    params,
    response: { file: 'application/octet-stream' },
    timeout: 3600,
  }),
  saveSchedule: defineEndpoint({
    method: 'PUT',
    path: '/api/installation/backups/schedule',
    access: installationWriteAccess,
    summary: 'Régler les copies de l’installation',
    body: CopySchedule,
    response: CopySchedule,
  }),
  preview: defineEndpoint({
    method: 'GET',
    path: '/api/installation/backups/retention',
    access: installationReadAccess,
    summary: 'Prévoir quelles copies seraient gardées',
    query: z.object({ days: days(90), weeks: days(104), months: days(120) }),
    response: z.object({
      /** What the schedule would keep of more than a year of daily backups, newest first. */
      steady: z.array(z.object({ day: z.string(), keptFor: z.array(z.enum(['day', 'week', 'month'])) })),
      /** Existing backups that the next one would delete. */
      leaving: z.array(z.string()),
    }),
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/backups',
    access: readAccess,
    summary: 'Lister les copies de l’organisation',
    response: z.object({ items: z.array(CompanyCopy), empty: z.boolean() }),
  }),
  make: defineEndpoint({
    method: 'POST',
    path: '/api/backups',
    access: writeAccess,
    summary: 'Copier les données de l’organisation',
    response: CompanyCopy,
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/backups/:id/file',
    access: writeAccess,
    summary: 'Télécharger une copie de l’organisation',
    params: idParams,
    response: { file: 'application/zip' },
    timeout: 3600,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/backups/:id',
    access: writeAccess,
    summary: 'Supprimer une copie de l’organisation',
    params: idParams,
    response: SuccessReply,
  }),
  take: defineEndpoint({
    method: 'POST',
    path: '/api/backups/import',
    access: writeAccess,
    summary: 'Lire une copie à reprendre dans une organisation vide',
    query: z.object({ name: Text }),
    upload: MAX_ARCHIVE_BYTES,
    response: CompanyCopy,
  }),
  confirm: defineEndpoint({
    method: 'POST',
    path: '/api/backups/:id/confirm',
    access: writeAccess,
    summary: 'Confirmer la reprise d’une copie',
    params: idParams,
    body: ReauthenticationProof,
    response: CompanyCopy,
  }),
  trusted: defineEndpoint({
    method: 'GET',
    path: '/api/installation/trusted-installations',
    access: installationReadAccess,
    summary: 'Lister les installations de confiance',
    response: z.object({
      /** Other installations verify the archives of this one with it. */
      publicKey: z.string(),
      items: z.array(TrustedInstallation),
    }),
  }),
  trust: defineEndpoint({
    method: 'POST',
    path: '/api/installation/trusted-installations',
    access: installationWriteAccess,
    summary: 'Faire confiance à une installation',
    body: z.strictObject({ name: Text, publicKey: InstallationKey, ...ReauthenticationProof.shape }),
    response: TrustedInstallation,
  }),
  distrust: defineEndpoint({
    method: 'DELETE',
    path: '/api/installation/trusted-installations/:id',
    access: installationWriteAccess,
    summary: 'Retirer une installation de confiance',
    params: idParams,
    response: SuccessReply,
  }),
}
