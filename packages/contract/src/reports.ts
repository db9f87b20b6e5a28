import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ListQuery, page } from './list.ts'
import { Day, Done, Id, Instant, Text, Version } from './primitives.ts'
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
export const TemplateRef = z.union([ReportPreset, Id], 'Ce modèle n’existe pas\u00a0: choisissez-en un de la liste.')
export const ReportPeriod = z
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

const asked = { template: TemplateRef, subjectId: Id, period: ReportPeriod }
export const NewReport = z.strictObject(asked)

const Recipient = z.object({ id: Id, name: z.string(), email: z.string() })
/** Of a yearly report, the month in which it leaves; monthly ones leave every month. */
const rhythm = {
  month: z.int().min(1).max(12).nullable(),
  day: z.int().min(1, 'Un jour du mois, de 1 à 28.').max(28, 'Un jour du mois, de 1 à 28.'),
  recipientIds: z.array(Id).min(1, 'Choisissez au moins une personne.').max(50),
}
export const NewSchedule = z.strictObject({ template: TemplateRef, subjectId: Id, ...rhythm })
export const ScheduleUpdate = z.strictObject({ ...rhythm, active: z.boolean(), version: Version })
export const ReportSchedule = z.object({
  id: Id,
  template: TemplateRef,
  templateName: z.string(),
  subjectName: z.string(),
  span: ReportSpan,
  ...rhythm,
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
const reading = { permission: 'reports.read' } as const
const writing = { permission: 'reports.write' } as const
const one = { permission: 'reports.read', portal: true } as const

export const reports = {
  templates: endpoint({
    method: 'GET',
    path: '/api/reports/templates',
    access: reading,
    summary: 'Lister les modèles de rapport',
    response: z.object({ items: z.array(ReportTemplate) }),
  }),
  createTemplate: endpoint({
    method: 'POST',
    path: '/api/reports/templates',
    access: writing,
    summary: 'Copier un modèle de rapport',
    body: NewTemplate,
    response: ReportTemplate,
  }),
  updateTemplate: endpoint({
    method: 'PUT',
    path: '/api/reports/templates/:id',
    access: writing,
    summary: 'Modifier un modèle de rapport',
    params,
    body: TemplateUpdate,
    response: ReportTemplate,
  }),
  removeTemplate: endpoint({
    method: 'DELETE',
    path: '/api/reports/templates/:id',
    access: writing,
    summary: 'Retirer un modèle de rapport',
    params,
    response: Done,
  }),
  subjects: endpoint({
    method: 'GET',
    path: '/api/reports/subjects',
    access: reading,
    summary: 'Lister ce dont un rapport peut parler',
    query: z.object({ kind: ReportSubject }),
    response: z.object({ items: z.array(z.object({ id: Id, name: z.string() })) }),
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/reports/preview',
    access: reading,
    summary: 'Lire un rapport avant de l’établir',
    query: z.object(asked),
    response: { file: 'application/pdf' },
    framed: true,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/reports',
    access: one,
    summary: 'Lister les rapports établis',
    query: ListQuery.extend({ subject: ReportSubject.optional() }),
    response: page(Report),
  }),
  make: endpoint({
    method: 'POST',
    path: '/api/reports',
    access: writing,
    summary: 'Établir un rapport',
    body: NewReport,
    response: Report,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/reports/:id',
    access: one,
    summary: 'Lire les chiffres d’un rapport',
    params,
    response: Report.extend({ content: ReportContent }),
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/reports/:id/file',
    access: one,
    summary: 'Télécharger un rapport',
    params,
    response: { file: 'application/pdf' },
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/reports/people',
    access: writing,
    summary: 'Lister à qui un rapport peut être envoyé',
    response: z.object({ items: z.array(Recipient) }),
  }),
  schedules: endpoint({
    method: 'GET',
    path: '/api/reports/schedules',
    access: reading,
    summary: 'Lister les envois programmés de rapports',
    response: z.object({ items: z.array(ReportSchedule) }),
  }),
  createSchedule: endpoint({
    method: 'POST',
    path: '/api/reports/schedules',
    access: writing,
    summary: 'Programmer l’envoi d’un rapport',
    body: NewSchedule,
    response: ReportSchedule,
  }),
  updateSchedule: endpoint({
    method: 'PUT',
    path: '/api/reports/schedules/:id',
    access: writing,
    summary: 'Modifier l’envoi programmé d’un rapport',
    params,
    body: ScheduleUpdate,
    response: ReportSchedule,
  }),
  removeSchedule: endpoint({
    method: 'DELETE',
    path: '/api/reports/schedules/:id',
    access: writing,
    summary: 'Arrêter l’envoi programmé d’un rapport',
    params,
    response: Done,
  }),
}
