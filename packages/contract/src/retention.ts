import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Id, Instant } from './primitives.ts'
import { formatMonths, RETENTION_KINDS, RETENTION_RULES, type RetentionKind } from './retention-kinds.ts'

const buildMonthsSchema = (kind: RetentionKind) => {
  const { least, most } = RETENTION_RULES[kind]
  const message = `De ${formatMonths(least)} à ${formatMonths(most)}.`
  return z.int(message).min(least, message).max(most, message)
}
export const RetentionMonths = z.strictObject(
  // Each key of the table has its own bounds.
  Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, buildMonthsSchema(kind)])) as Record<RetentionKind, z.ZodInt>,
)
export type RetentionMonths = Record<RetentionKind, number>

/** What has been kept long enough, by kind: how many, and how many of each month. */
const RetentionCount = z.object({ count: z.int(), months: z.record(z.string(), z.int()) })
export const RetentionCounts = z.partialRecord(z.enum(RETENTION_KINDS), RetentionCount)
export type RetentionCounts = z.infer<typeof RetentionCounts>

export const RetentionRun = z.object({
  id: Id,
  stage: z.enum(['preview', 'pass']),
  counts: RetentionCounts,
  createdAt: Instant,
  finishedAt: Instant.nullable(),
  confirmedAt: Instant.nullable(),
  confirmedBy: z.string(),
})
export type RetentionRun = z.infer<typeof RetentionRun>

export const Retention = z.object({
  months: z.record(z.enum(RETENTION_KINDS), z.int()),
  /** Of these durations: a save or a yes names the ones that were read. */
  seal: z.string(),
  /** What was said before, the last first. */
  said: z.array(
    z.object({ kind: z.enum(RETENTION_KINDS), months: z.int(), from: z.string(), by: z.string(), reason: z.string() }),
  ),
  /** Somebody said yes to what these durations remove: it is done every night. */
  confirmed: z.boolean(),
  /** What they would remove, as it was last looked at. */
  preview: RetentionRun.nullable(),
  /** The last passes that removed something, the latest first. */
  passes: z.array(RetentionRun),
})
export type Retention = z.infer<typeof Retention>

export const RetentionUpdate = z.strictObject({
  months: RetentionMonths,
  reason: z.string().trim().min(3, 'Dites pourquoi, en quelques mots.').max(500),
  seal: z.string().max(100),
})

export const retention = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/retention',
    access: { permission: 'companies.read' },
    summary: 'Lire les durées de conservation',
    response: Retention,
  }),
  update: defineEndpoint({
    method: 'PUT',
    path: '/api/retention',
    access: { permission: 'companies.write' },
    summary: 'Changer les durées de conservation',
    body: RetentionUpdate,
    response: Retention,
  }),
  preview: defineEndpoint({
    method: 'POST',
    path: '/api/retention/preview',
    access: { permission: 'companies.write' },
    summary: 'Compter ce qui serait supprimé',
    response: Retention,
    timeout: 120,
  }),
  confirm: defineEndpoint({
    method: 'POST',
    path: '/api/retention/confirm',
    access: { permission: 'companies.write' },
    summary: 'Accepter les suppressions de chaque nuit',
    body: z.strictObject({ id: Id, seal: z.string().max(100) }),
    response: Retention,
  }),
  register: defineEndpoint({
    method: 'GET',
    path: '/api/retention/register',
    access: { permission: 'companies.read' },
    summary: 'Registre des traitements (PDF)',
    response: { file: 'application/pdf' },
  }),
  consentPack: defineEndpoint({
    method: 'GET',
    path: '/api/retention/consent-pack',
    access: { permission: 'companies.read' },
    summary: 'Textes et preuves des accords (PDF)',
    response: { file: 'application/pdf' },
  }),
}
