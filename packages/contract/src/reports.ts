import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, Day, Id, Instant, ListQuery, SuccessReply, Text, Version } from './primitives.ts'
import { ReportBlocks, ReportSpan, ReportSubject } from './report-blocks.ts'
import { ReportContent } from './report-content.ts'

export const ReportPreset = z.enum([
  'operation-month',
  'assembly-year',
  'participant-year',
  'producer-year',
  'impact-year',
])
export type ReportPreset = z.infer<typeof ReportPreset>
/** A preset by its name, or a template of the company by its id. */
const TemplateRef = z.union([ReportPreset, Id], 'Ce modèle n’existe pas\u00a0: choisissez-en un de la liste.')
const ReportPeriod = z
  .string()
  .regex(/^20\d\d(-(0[1-9]|1[0-2]))?$/, 'Un mois (2026-05) ou une année (2026) est attendu.')

export const ReportTemplate = z.object({
  ref: TemplateRef,
  preset: ReportPreset,
  name: z.string(),
  purpose: z.string(),
  subject: ReportSubject,
  span: ReportSpan,
  blocks: ReportBlocks,
  /** Zero for a preset, which nobody changes. */
  version: z.int(),
})
export type ReportTemplate = z.infer<typeof ReportTemplate>

export const NewTemplate = z.strictObject({ preset: TemplateRef, name: Text })
export const TemplateUpdate = z.strictObject({ name: Text, blocks: ReportBlocks, version: Version })

export const Report = z.object({
  id: Id,
  title: z.string(),
  subject: ReportSubject,
  subjectName: z.string(),
  span: ReportSpan,
  period: z.string(),
  number: z.int(),
  file: z.object({ name: z.string(), size: z.int(), sha256: z.string() }),
  madeBy: z.string(),
  madeAt: Instant,
})
export type Report = z.infer<typeof Report>

const reportFields = { template: TemplateRef, subjectId: Id, period: ReportPeriod }
export const NewReport = z.strictObject(reportFields)

const Recipient = z.object({ id: Id, name: z.string(), email: z.string() })
/** Of a yearly report, the month in which it leaves; monthly ones leave every month. */
const scheduleFields = {
  month: z.int().min(1).max(12).nullable(),
  day: z.int().min(1, 'Un jour du mois, de 1 à 28.').max(28, 'Un jour du mois, de 1 à 28.'),
  recipientIds: z.array(Id).min(1, 'Choisissez au moins une personne.').max(50),
}
export const NewSchedule = z.strictObject({ template: TemplateRef, subjectId: Id, ...scheduleFields })
export const ScheduleUpdate = z.strictObject({ ...scheduleFields, active: z.boolean(), version: Version })
export const ReportSchedule = z.object({
  id: Id,
  template: TemplateRef,
  templateName: z.string(),
  subjectName: z.string(),
  span: ReportSpan,
  ...scheduleFields,
  /** Nobody, once each has asked for no more of it. */
  recipientIds: z.array(Id),
  recipients: z.array(Recipient),
  active: z.boolean(),
  nextOn: Day,
  /** The last period that left; empty before the first. */
  lastPeriod: z.string(),
  /** Why the last one did not leave; empty where it did. */
  trouble: z.string(),
  madeBy: z.string(),
  version: z.int(),
})
export type ReportSchedule = z.infer<typeof ReportSchedule>

const params = z.object({ id: Id })
const readAccess = { permission: 'reports.read' } as const
const writeAccess = { permission: 'reports.write' } as const
const ownReadAccess = { permission: 'reports.read', portal: true } as const

export const reports = {
  templates: defineEndpoint({
    method: 'GET',
    path: '/api/reports/templates',
    access: readAccess,
    summary: 'Lister les modèles de rapport',
    response: z.object({ items: z.array(ReportTemplate) }),
  }),
  createTemplate: defineEndpoint({
    method: 'POST',
    path: '/api/reports/templates',
    access: writeAccess,
    summary: 'Copier un modèle de rapport',
    body: NewTemplate,
    response: ReportTemplate,
  }),
  updateTemplate: defineEndpoint({
    method: 'PUT',
    path: '/api/reports/templates/:id',
    access: writeAccess,
    summary: 'Modifier un modèle de rapport',
    params,
    body: TemplateUpdate,
    response: ReportTemplate,
  }),
  removeTemplate: defineEndpoint({
    method: 'DELETE',
    path: '/api/reports/templates/:id',
    access: writeAccess,
    summary: 'Retirer un modèle de rapport',
    params,
    response: SuccessReply,
  }),
  subjects: defineEndpoint({
    method: 'GET',
    path: '/api/reports/subjects',
    access: readAccess,
    summary: 'Lister ce dont un rapport peut parler',
    query: z.object({ kind: ReportSubject }),
    response: z.object({ items: z.array(z.object({ id: Id, name: z.string() })) }),
  }),
  preview: defineEndpoint({
    method: 'GET',
    path: '/api/reports/preview',
    access: readAccess,
    summary: 'Lire un rapport avant de l’établir',
    query: z.object(reportFields),
    response: { file: 'application/pdf' },
    framed: true,
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/reports',
    access: ownReadAccess,
    summary: 'Lister les rapports établis',
    query: ListQuery.extend({ subject: ReportSubject.optional() }),
    response: buildPageSchema(Report),
  }),
  make: defineEndpoint({
    method: 'POST',
    path: '/api/reports',
    access: writeAccess,
    summary: 'Établir un rapport',
    body: NewReport,
    response: Report,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/reports/:id',
    access: ownReadAccess,
    summary: 'Lire les chiffres d’un rapport',
    params,
    response: Report.extend({ content: ReportContent }),
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/reports/:id/file',
    access: ownReadAccess,
    summary: 'Télécharger un rapport',
    params,
    response: { file: 'application/pdf' },
  }),
  people: defineEndpoint({
    method: 'GET',
    path: '/api/reports/people',
    access: writeAccess,
    summary: 'Lister à qui un rapport peut être envoyé',
    response: z.object({ items: z.array(Recipient) }),
  }),
  schedules: defineEndpoint({
    method: 'GET',
    path: '/api/reports/schedules',
    access: readAccess,
    summary: 'Lister les envois programmés de rapports',
    response: z.object({ items: z.array(ReportSchedule) }),
  }),
  createSchedule: defineEndpoint({
    method: 'POST',
    path: '/api/reports/schedules',
    access: writeAccess,
    summary: 'Programmer l’envoi d’un rapport',
    body: NewSchedule,
    response: ReportSchedule,
  }),
  updateSchedule: defineEndpoint({
    method: 'PUT',
    path: '/api/reports/schedules/:id',
    access: writeAccess,
    summary: 'Modifier l’envoi programmé d’un rapport',
    params,
    body: ScheduleUpdate,
    response: ReportSchedule,
  }),
  removeSchedule: defineEndpoint({
    method: 'DELETE',
    path: '/api/reports/schedules/:id',
    access: writeAccess,
    summary: 'Arrêter l’envoi programmé d’un rapport',
    params,
    response: SuccessReply,
  }),
}
